import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runInside } from '../testing/command-line.js';
import { didYouMean, editDistance, nearestName } from './did-you-mean.js';

describe('the distance between words', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['verfy', 'verify', 1],
    ['kitten', 'sitting', 3],
    ['cvs', 'csv', 1],
    ['nwe', 'new', 1],
    // No letter twice: with more edits of one place it would be 2.
    ['ca', 'abc', 3],
    ['', 'abc', 3],
  ])('from %j to %j is %i', (from, to, edits) => {
    expect([editDistance(from, to), editDistance(to, from)]).toEqual([edits, edits]);
  });

  test('is one for one edit, and never more than the longer word', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.nat(), (one, other, place) => {
        const at = place % one.length;
        expect(editDistance(one, one.slice(0, at) + one.slice(at + 1))).toBe(1);
        const most = Math.max(one.length, other.length);
        const least = Math.abs(one.length - other.length);
        expect(editDistance(one, other)).toBeLessThanOrEqual(most);
        expect(editDistance(one, other)).toBeGreaterThanOrEqual(least);
      }),
    );
  });
});

describe('the nearest name', () => {
  const GAMES = ['eldorado', 'lagon-paradis'];

  test.each([
    ['eldorad', 'eldorado'],
    ['ELDORADO', 'eldorado'],
    ['lagon', 'lagon-paradis'],
    ['lagon-pardis', 'lagon-paradis'],
    ['bingo', undefined],
    ['', undefined],
    ['e', undefined],
    ['eldorado'.repeat(6), undefined],
  ])('to %j is %j', (given, name) => {
    expect(nearestName(given, GAMES)).toBe(name);
  });

  test('is nothing where there are no names', () => {
    expect(didYouMean('eldorado', [])).toBe('');
  });
});

describe('what was perhaps meant is said in the one line of an error', () => {
  test.each<[readonly string[], string]>([
    [['verfy', 'output'], ', help (did you mean verify?)'],
    [['help', 'vrify'], ', help (did you mean verify?)'],
    [
      ['seed', 'nwe', 'a.seed'],
      'there is no command of that name below "seed"; choose new, commit, salt-key, help (did you mean new?)',
    ],
    [
      ['key', 'idd'],
      'there is no command of that name below "key"; choose new, id, help (did you mean id?)',
    ],
    [
      ['batch', 'finsh', 'jobs.json', 'share-1'],
      "too many arguments for 'batch'. Expected 1 argument but got 3. (did you mean finish?)",
    ],
    [['--gmae', 'eldorado'], "unknown option '--gmae' (did you mean --game?)"],
    [['verify', 'x', '--jsn'], "unknown option '--jsn' (did you mean --json?)"],
    [
      ['--game', 'eldorad', '--stake', '1'],
      'give a definition with --definition (did you mean eldorado?)',
    ],
    [['games', 'lagon'], '(did you mean lagon-paradis?)'],
    [['games', 'chek'], '(did you mean check?)'],
    [['--format', 'cvs'], 'Choose from ndjson,csv, each at most once (did you mean csv?).'],
    [['--engine', 'chacha'], 'Choose seedrandom or chacha20 (did you mean chacha20?).'],
    [['--compress', 'gz'], 'Choose gzip (did you mean gzip?).'],
    [['--policy', 'prodcution'], 'Choose production (did you mean production?).'],
    [['games', '--lang', 'fe'], 'Choose en or fr (did you mean fr?).'],
    [['export', 'x', '--dialect', 'excelfr'], 'Choose excel-fr or long (did you mean excel-fr?).'],
    [['completion', 'bsh'], 'Choose bash, zsh or fish (did you mean bash?).'],
  ])('%j', async (argv, words) => {
    const { exitCode, stdout, stderr } = await runInside(argv);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^gen-block: [^\n]+\n$/);
    expect(stderr).toContain(words);
  });

  test.each([
    [['--seeed=Geheim7']],
    [['-seed=Geheim7']],
    [['--seeds', 'Geheim7']],
    [['-x=Geheim7']],
    [['seed', 'Geheim7']],
    [['key', 'Geheim7']],
  ])('%j repeats nothing that may be a seed', async (argv) => {
    const { exitCode, stderr } = await runInside(argv);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^gen-block: [^\n]+\n$/);
    expect(stderr).not.toContain('Geheim7');
  });
});

describe('the completion', () => {
  test('is data on standard output', async () => {
    const { exitCode, stdout, stderr } = await runInside(['completion', 'bash']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('complete -F _gen_block gen-block\n');
  });
});
