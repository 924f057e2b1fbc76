import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkedJson, schemaCheck } from '../testing/checked-json.js';
import { runInside, type CommandResult } from '../testing/command-line.js';
import { sampleDefinition, type Edit } from '../testing/sample-definitions.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';

const newFolder = folderMaker();

const FIXTURES = [
  'collect-bare',
  'collect-capped',
  'collect-wide',
  'collect-zero',
  'eldorado-mini',
  'lagon-mini',
  'rows-plain',
  'rows-zero',
];

function fixturePath(name: string): string {
  return definitionPath('rows-plain').replace('rows-plain', name);
}

/** A definition file with some changes. */
function changedDefinition(...edits: readonly Edit[]): string {
  const path = join(newFolder(), 'my-game.json');
  writeFileSync(path, JSON.stringify(sampleDefinition('rows-plain', ...edits)));
  return path;
}

async function games(...argv: readonly string[]): Promise<CommandResult> {
  return runInside(['games', ...argv]);
}

/** What a run prints that must go well. */
async function printed(...argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await games(...argv);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

/** What a run says that must be refused. */
async function refusal(...argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await games(...argv);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^gen-block: [^]+\n$/);
  // eslint-disable-next-line no-control-regex -- that there is none is the point
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]| {4}at /);
  return stderr.slice('gen-block: '.length, -1);
}

describe('games', () => {
  test('lists the games, a line for each', async () => {
    const text = await printed();
    expect(text).toMatch(/^Games\n\n id {2,}game {2,}/);
    expect(text).toMatch(
      /\n eldorado {2,}Eldorado {2,}900,000 {2,}0\.50 \/ 1\.00 \/ 2\.00 {2,}70\.00 %/,
    );
    expect(text).toMatch(/\n lagon-paradis {2,}Lagon Paradis {2,}800,000 /);
  });

  test('shows all about one at the stake that is asked for, or at every stake', async () => {
    const one = await printed('eldorado', '--stake', '1');
    expect(one).toMatch(/^Eldorado\n\nA block has 900,000 tickets \(article 2\)\.\n/);
    expect(one).toContain(
      'Pay-out 70.00 %: prizes of 630,000.00 EUR out of sales of 900,000.00 EUR.\n',
    );
    expect(one.match(/^At .* EUR a ticket/gm)).toEqual(['At 1.00 EUR a ticket']);
    const all = await printed('eldorado');
    expect(all.match(/^At .* EUR a ticket/gm)).toEqual([
      'At 0.50 EUR a ticket',
      'At 1.00 EUR a ticket',
      'At 2.00 EUR a ticket',
    ]);
  });

  test('shows a game of the user', async () => {
    const text = await printed('--definition', definitionPath('rows-plain'), '-s', '1');
    expect(text).toMatch(/^Rows plain\n\nA block has 1,000 tickets/);
  });

  test('speaks French, and Markdown, and both', async () => {
    expect(await printed('--lang', 'fr')).toMatch(/^Jeux\n\n identifiant /);
    expect(await printed('--markdown')).toMatch(/^# Games\n\n\| id \| game \|/);
    const both = await printed('lagon-paradis', '-s', '1', '--lang', 'fr', '--markdown');
    expect(both).toContain('\n## Mise de 1,00 € : tableau de lots d’un bloc (article 3.2)\n');
    expect(both).toContain('\n| 5\u{202f}000,00 | 1 | 5\u{202f}000,00 | 1 sur 800\u{202f}000 |');
  });

  test.each([
    [['--json', '--markdown'], '--json and --markdown are both given; choose one'],
    [['--stake', '1'], '--stake is given and no game; name one, such as eldorado'],
    [
      ['eldorado', '--definition', fixturePath('rows-plain')],
      'the game eldorado and --definition are both given; choose one',
    ],
    [
      ['bingo'],
      'there is no game "bingo"; choose eldorado or lagon-paradis, or give a definition with --definition',
    ],
    [
      ['\u001b[2J'],
      'there is no game "\\u{1b}[2J"; choose eldorado or lagon-paradis, or give a definition with --definition',
    ],
    [
      ['eldorado', '--stake', '3'],
      'Eldorado is not sold at 3.00 euros; choose a stake of 0.50, 1.00, 2.00',
    ],
    [['--lang', 'de'], "option '--lang <language>' argument 'de' is invalid. Choose en or fr."],
    [['eldorado', 'x'], "too many arguments for 'games'. Expected 1 argument but got 2."],
    [
      [fixturePath('rows-plain')],
      `${fixturePath('rows-plain')} is a file, not the name of a game; say gen-block games --definition ${fixturePath('rows-plain')}`,
    ],
    [['--definition', '/no/such.json'], 'there is no file /no/such.json; check the path'],
  ])('refuses %j', async (argv, line) => {
    expect(await refusal(...argv)).toBe(line);
  });
});

describe('games --json', () => {
  test('fits its schema for the games that are shipped', async () => {
    const shipped = checkedJson('games', await printed('--json'));
    expect(shipped).toMatchObject({
      games: [
        { id: 'eldorado', blockTickets: 900_000 },
        { id: 'lagon-paradis', blockTickets: 800_000 },
      ],
    });
    const [one] = (shipped as { games: { stakes: unknown[] }[] }).games;
    expect(checkedJson('games', await printed('eldorado', '-s', '1', '--json'))).toEqual({
      games: [{ ...one, stakes: [one?.stakes[1]] }],
    });
  });

  test.each(FIXTURES)('fits its schema for %s', async (name) => {
    const json = await printed('--definition', fixturePath(name), '--json');
    expect(checkedJson('games', json)).toMatchObject({ games: [{ id: name }] });
  });

  describe.each(['rows-zero', 'collect-bare'])('has a schema that refuses of %s', (name) => {
    const validate = schemaCheck('games');

    /** Every object and list in a value, with its place. */
    function* containersIn(
      value: unknown,
      place = '',
    ): Generator<[string, Record<string, unknown>]> {
      if (typeof value !== 'object' || value === null) return;
      yield [place, value as Record<string, unknown>];
      for (const [key, child] of Object.entries(value))
        yield* containersIn(child, `${place}/${key}`);
    }

    const output = async (): Promise<unknown> =>
      JSON.parse(await printed('--definition', fixturePath(name), '--json'));

    test('an unknown field, in whatever object', async () => {
      const value = await output();
      const accepted: string[] = [];
      for (const [place, container] of containersIn(value)) {
        if (Array.isArray(container)) continue;
        Object.assign(container, { stranger: 1 });
        if (validate(value)) accepted.push(place);
        Reflect.deleteProperty(container, 'stranger');
      }
      expect(accepted).toEqual([]);
      expect(validate(value)).toBe(true);
    });

    test('a value of another type, in whatever place', async () => {
      const value = await output();
      const accepted: string[] = [];
      for (const [place, container] of containersIn(value)) {
        for (const [key, child] of Object.entries(container)) {
          Object.assign(container, { [key]: null });
          if (validate(value)) accepted.push(`${place}/${key}`);
          Object.assign(container, { [key]: child });
        }
      }
      expect(accepted).toEqual([]);
      expect(validate(value)).toBe(true);
    });

    test('a field too few, but for those that may be absent', async () => {
      const value = await output();
      const optional = new Set<string>();
      for (const [, container] of containersIn(value)) {
        if (Array.isArray(container)) continue;
        for (const [key, child] of Object.entries(container)) {
          Reflect.deleteProperty(container, key);
          if (validate(value)) optional.add(key);
          Object.assign(container, { [key]: child });
        }
      }
      const sources = ['blockTickets', 'grid', 'payTable', 'policy', 'tiers'];
      const own = name === 'rows-zero' ? ['extraVectors', 'symbol'] : ['caps'];
      expect([...optional].sort()).toEqual([...sources, ...own].sort());
    });
  });
});

describe('games check', () => {
  test.each(FIXTURES)('finds %s right', async (name) => {
    const text = await printed('check', fixturePath(name));
    expect(text).toMatch(/^\S+\.json: the definition is right\.\n/);
    expect(text).toContain(`\n${name}, "`);
    expect(await printed('check', fixturePath(name), '--quiet')).toBe('');
  });

  test('says what the definition comes to', async () => {
    const path = fixturePath('eldorado-mini');
    expect(await printed('check', path)).toBe(
      [
        `${path}: the definition is right.`,
        'eldorado-mini, "Eldorado mini": blocks of 9,000 tickets at 0.50, 1.00, 2.00 EUR.',
        'A grid of 3 rows of 5 cells; symbols: 5 to pay (P pyramide, S soleil, V vase, B bracelet, D pendentif), 1 to open a further grid (E EXTRA).',
        'Ways to win, stake by stake: 44, 44, 44.',
        'Definition SHA-256 939a9004a1be3f5f57c92f70af3fa2df3424912ab7f1c653e13b01c263a0ed20',
        `See all of it: gen-block games --definition ${path}`,
        '',
      ].join('\n'),
    );
  });

  test('counts the symbols to choose from', async () => {
    expect(await printed('check', fixturePath('lagon-mini'))).toContain(
      '\nA grid of 3 rows of 6 cells; symbols: 3 to choose from (T tortue, P perle, H hibiscus), 4 without a prize (C coquillage, E etoile, N noix, V vague).\n',
    );
  });

  test('remarks a pay table that pays less for more, and nothing with --quiet', async () => {
    const path = changedDefinition(
      ['/stakes/0/pay_table/2/count', 3],
      ['/stakes/0/pay_table/3/count', 4],
    );
    const { exitCode, stdout, stderr } = await games('check', path);
    expect([exitCode, stderr]).toEqual([
      0,
      `gen-block: ${path}: /stakes/0/pay_table pays less for 4 B than for 3 B: is that what the regulation says?\n`,
    ]);
    expect(stdout).toContain(': the definition is right.\n');
    expect(await printed('check', path, '--quiet')).toBe('');
  });

  test.each<[string, Edit, RegExp]>([
    [
      'a total that is not the sum',
      ['/stakes/0/tiers/0/total_cents', 1],
      /\/stakes\/0\/tiers\/0\/total_cents/,
    ],
    [
      'a declared sum that lies',
      ['/stakes/0/declared/winning_tickets', 1],
      /\/stakes\/0\/declared\/winning_tickets/,
    ],
    [
      'a prize that no combination pays',
      ['/stakes/0/tiers/4/prize_cents', 150],
      /\/stakes\/0\/tiers\/4/,
    ],
    [
      'more winners than tickets',
      ['/block_size', 100],
      /found 172 winning tickets, expected at most the 100 tickets of a block/,
    ],
    ['a field without a source', ['/sources/8', undefined], /no source/],
    ['a field that nobody knows', ['/colour', 'red'], /\/colour/],
    ['a letter that two symbols have', ['/symbols/1/code', 'A'], /\/symbols\/1/],
  ])('says what is wrong: %s', async (_, edit, words) => {
    const text = await refusal('check', changedDefinition(edit));
    expect(text).toMatch(/^\S+my-game\.json: [^\n]*problem/);
    expect(text).toMatch(words);
  });

  test('says all that is wrong, and with --quiet too', async () => {
    const path = changedDefinition(['/block_size', 0], ['/id', 'Not An Id']);
    for (const argv of [
      ['check', path],
      ['check', path, '--quiet'],
    ]) {
      const text = await refusal(...argv);
      for (const place of ['/block_size', '/id']) expect(text).toContain(place);
    }
  });

  test.each<[string, Edit]>([
    ['a name', ['/name', '\u001b]0;title\u0007Game']],
    ['a name with a direction mark', ['/name', 'Game\u202e']],
    ['a name of two lines', ['/name', 'Game\n# Title']],
    ['an id', ['/id', '\u001b[2J']],
    ["a symbol's name", ['/symbols/0/id', '\u009b31mapple']],
    ['an unknown field', ['/\u001b[31m', 1]],
  ])('refuses what steers a terminal: %s', async (_, edit) => {
    const path = changedDefinition(edit);
    // Neither the check nor the tables let it through; the refusal itself is printable.
    expect(await refusal('check', path)).toContain('\\u{');
    expect(await refusal('--definition', path)).toContain('\\u{');
  });

  test.each([
    [['check'], "missing required argument 'definition'"],
    [['check', 'a', 'b'], "too many arguments for 'check'. Expected 1 argument but got 2."],
    [
      ['--stake', '1', 'check', 'a'],
      '--stake stands before "check", where it says nothing; put it behind',
    ],
    [
      ['--json', 'check', 'a'],
      '--json stands before "check", where it says nothing; put it behind',
    ],
    [['check', 'a', '--json'], "unknown option '--json'"],
    [['check', '/no/\u001b[2J'], 'there is no file /no/\\u{1b}[2J; check the path'],
    [['check', '/'], '/ is not a regular file; name the file itself'],
  ])('refuses %j', async (argv, line) => {
    expect(await refusal(...argv)).toBe(line);
  });
});
