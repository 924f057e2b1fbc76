import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { checkDefinition } from './definitions/check-definition.js';
import { PROGRAM } from './testing/command-line.js';
import { fieldRows, schemaFields } from './testing/definition-fields.js';
import { guideSteps, isShown, runSteps, withoutTimes } from './testing/guide-tour.js';

const ROOT = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const PAGE = read('docs/adding-a-game.md');
const DEFINITION = read('examples/lantern-quay/lantern-quay.json');

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gen-block-guide-')));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the guide to adding a game', () => {
  test('shows what its commands print', () => {
    mkdirSync(join(folder, 'bin'));
    symlinkSync(PROGRAM, join(folder, 'bin', 'gen-block'));
    mkdirSync(join(folder, 'games'));
    const { PATH = '' } = process.env;
    const steps = guideSteps(PAGE);
    const printed = runSteps(steps, {
      cwd: join(folder, 'games'),
      env: {
        PATH: `${join(folder, 'bin')}:${PATH}`,
        HOME: folder,
        EXAMPLES: fileURLToPath(new URL('examples', ROOT)),
      },
    });
    expect(steps.length).toBeGreaterThan(15);
    expect(printed).toHaveLength(steps.length);
    for (const [index, { command, shown }] of steps.entries()) {
      const expected = withoutTimes(shown);
      const found = withoutTimes(printed[index] ?? []);
      // Where they differ, the comparison of both says how.
      if (!isShown(found, expected)) expect({ command, found }).toEqual({ command, expected });
    }
  });

  test('has every field of the schema in its table, with its limits, and no other', () => {
    expect(fieldRows(PAGE)).toEqual(schemaFields(read('schemas/definition.schema.json')));
  });
});

test.each(['docs/adding-a-game.md', 'docs/adding-a-mechanic.md'])(
  '%s names files that there are',
  (path) => {
    const page = read(path);
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => join('docs', link));
    const files = [...page.matchAll(/`((?:src|schemas|fixtures|scripts)\/[\w./-]+\.\w+)`/g)];
    const named = [...links, ...files.map(([, file = '']) => file)];
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  },
);

describe('the worked example', () => {
  const { definition, problems } = checkDefinition(JSON.parse(DEFINITION));
  const regulation = read('examples/lantern-quay/REGULATION.md');

  test('is right, and small', () => {
    expect(problems).toEqual([]);
    expect(definition?.block_size).toBeLessThanOrEqual(50_000);
  });

  test('names articles that its regulation has, and all that have numbers or symbols', () => {
    const articles = [...regulation.matchAll(/^(\d\.\d)\. /gm)].map(([, article]) => article);
    const named = (definition?.sources ?? []).flatMap((source) =>
      source.source === 'regulation' ? [source.article] : [],
    );
    expect(named.filter((article) => !articles.includes(article))).toEqual([]);
    expect(named).toEqual(
      expect.arrayContaining(['2.1', '2.2', '3.1', '3.2', '4.1', '4.3', '4.4', '4.5']),
    );
  });

  test('has the prize tables and gains that its regulation prints', () => {
    const stakes = definition?.stakes ?? [];
    const cents = (euros: string): number => Number(euros.replaceAll(',', '')) * 100;
    const tables = regulation.split('## Article').slice(3, 4).join('').split('3.2.');
    expect(tables).toHaveLength(2);
    for (const [index, table] of tables.entries()) {
      const lines = [...table.matchAll(/^\| ([\d,]+) prizes? of \| €([\d,]+) \| €([\d,]+) \|$/gm)];
      const printed = lines.map(([, count = '', prize = '', total = '']) => ({
        count: Number(count.replaceAll(',', '')),
        prize_cents: cents(prize),
        total_cents: cents(total),
      }));
      expect(stakes[index]?.tiers).toEqual(printed);
      const [, winners = '', sum = ''] =
        /^\| ([\d,]+) prizes, in all \| \| €([\d,]+) \|$/m.exec(table) ?? [];
      expect(stakes[index]?.declared).toEqual({
        winning_tickets: Number(winners.replaceAll(',', '')),
        prizes_cents: cents(sum),
      });
    }
    const gains = [...regulation.matchAll(/^\| (\d) (\w+)s \| €([\d,]+) \| €([\d,]+) \|$/gm)];
    const codeOf = (id: string): string | undefined =>
      definition?.symbols.find((symbol) => symbol.id === id)?.code;
    for (const [index, stake] of stakes.entries()) {
      const printed = gains.map(([, count = '', id = '', ...amounts]) => ({
        symbol: codeOf(id),
        count: Number(count),
        prize_cents: cents(amounts[index] ?? ''),
      }));
      expect(stake.pay_table).toEqual(printed);
    }
  });
});

describe('a page of commands', () => {
  test('is read step by step, with commands of several lines', () => {
    const page = "```sh\n$ a \\\n  b\nout\n$ cat <<'END'\n$ no command\nEND\n```\n```\n$ c\n```";
    expect(guideSteps(page)).toEqual([
      { command: 'a \\\n  b', shown: ['out'] },
      { command: "cat <<'END'\n$ no command\nEND", shown: [] },
    ]);
  });

  test('may leave lines out where it says so, and nowhere else', () => {
    expect(isShown(['a', 'b', 'c'], ['a', '...', 'c'])).toBe(true);
    expect(isShown(['a', 'b'], ['a', '...'])).toBe(true);
    expect(isShown(['a', 'b'], ['a'])).toBe(false);
    expect(isShown(['a'], ['a', 'b'])).toBe(false);
    expect(isShown(['x', 'c'], ['...', 'b'])).toBe(false);
  });

  test('does not depend on how long something took', () => {
    expect(withoutTimes(['made in 1.2 s', '2 s in all.', ' b made 3 1.00 0.4'])).toEqual([
      'made in N s',
      'N s in all.',
      ' b made 3 1.00 N',
    ]);
    expect(withoutTimes(['9 tickets of 2.00 EUR'])).toEqual(['9 tickets of 2.00 EUR']);
  });
});
