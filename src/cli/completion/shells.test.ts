import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { folderMaker } from '../../testing/sample-requests.js';
import { makeProgram } from '../program.js';
import { completionScript, SCRIPT_NAMES } from './completion-script.js';
import { SHELLS, type Shell } from './shell-names.js';

const newFolder = folderMaker();
const SHIPPED = fileURLToPath(new URL('../../../dist/completions/', import.meta.url));
const PRESS_TABS = fileURLToPath(new URL('press-tabs.py', import.meta.url));
/** What leaves a file behind wherever it is run. */
const TRAP = 'touch was-run';

let folder: string;
let scripts: string;

beforeAll(() => {
  scripts = newFolder();
  for (const shell of SHELLS) {
    writeFileSync(join(scripts, SCRIPT_NAMES[shell]), completionScript(shell, makeProgram([])));
  }
  folder = newFolder();
  for (const name of ['output', 'share one']) mkdirSync(join(folder, name));
  for (const name of ['jobs.json', 'seed of many']) writeFileSync(join(folder, name), 'GEHEIM');
});

/** What the program is given where these lines are typed; `undefined` for one that is taken back. */
function typed(
  shell: 'bash' | 'zsh',
  lines: readonly string[],
): readonly (readonly string[] | null)[] {
  const text = execFileSync('python3', [PRESS_TABS, shell, scripts, folder], {
    input: JSON.stringify(lines),
    encoding: 'utf8',
  });
  return JSON.parse(text) as readonly (readonly string[] | null)[];
}

/** Lines, and what the program is given; `\t` is the tabulator. */
const LINES: readonly (readonly [string, readonly string[]])[] = [
  ['ver\tx', ['verify', 'x']],
  ['--ga\t', ['--game']],
  ['--game el\t', ['--game', 'eldorado']],
  ['-g el\t-s 0\t', ['-g', 'eldorado', '-s', '0.5']],
  ['--engine=c\t', ['--engine=chacha20']],
  ['generate --format nd\t', ['generate', '--format', 'ndjson']],
  ['--compress \t', ['--compress', 'gzip']],
  ['verify x --policy p\t', ['verify', 'x', '--policy', 'production']],
  ['games lag\t--lang f\t', ['games', 'lagon-paradis', '--lang', 'fr']],
  ['games ch\tjo\t', ['games', 'check', 'jobs.json']],
  ['export out\t --dialect l\t', ['export', 'output/', '--dialect', 'long']],
  ['batch fin\tjo\tsh\t', ['batch', 'finish', 'jobs.json', 'share one/']],
  ['seed co\tjo\t', ['seed', 'commit', 'jobs.json']],
  ['help ver\t', ['help', 'verify']],
  ['key help n\t', ['key', 'help', 'new']],
  ['completion f\t', ['completion', 'fish']],
  ['--seed-file se\t', ['--seed-file', 'seed of many']],
  // A folder is no file, free text is nothing that can be known, and options end where "--" stands.
  ['--out jo\t', ['--out', 'jo']],
  ['--seed jo\t', ['--seed', 'jo']],
  ['--block jo\t', ['--block', 'jo']],
  ['verify -- --ga\t', ['verify', '--', '--ga']],
  // bash takes a value apart at a colon and at "@".
  ['verify --from sqlite:x.db jo\t', ['verify', '--from', 'sqlite:x.db', 'jobs.json']],
  ['verify --from=sqlite:x.db jo\t', ['verify', '--from=sqlite:x.db', 'jobs.json']],
  ['load --to postgres://u@h/d out\t', ['load', '--to', 'postgres://u@h/d', 'output/']],
  ['--game x:y --engine=c\t', ['--game', 'x:y', '--engine=chacha20']],
  ['batch finish a@b sh\t', ['batch', 'finish', 'a@b', 'share one/']],
  ['games a:b --lang f\t', ['games', 'a:b', '--lang', 'fr']],
  // What a variable holds is known to the shell: nothing must be run for it.
  ['verify $HERE/jo\t', ['verify', './jobs.json']],
  ['--out=$HERE/out\t', ['--out=./output/']],
];

/** What would run something if it were evaluated. */
const TRAPS = [
  `--game $(${TRAP})\t`,
  `--game=$(${TRAP})\t`,
  `--game '$(${TRAP})\t`,
  `--game "$(${TRAP})\t`,
  `--out $(${TRAP})/\t`,
  `--out \`${TRAP}\`/\t`,
  `verify $(${TRAP})/\t`,
  `verify "$(${TRAP})\t`,
  `\`${TRAP}\` --ga\t`,
  `$(${TRAP}) \t`,
  `batch ;${TRAP}\\;\t`,
  `verify $'\\x24(${TRAP})'/\t`,
  'verify ${\\(e)X}/\t',
  'verify ${(e)X}/\t',
  'verify "${(e)X}/\t',
  'verify $X/\t',
  'verify ./$X/\t',
  '--out=${(e)X}/\t',
  'verify ${Y:=pwned}/\t',
  '--out ${Y:=pwned}/\t',
  'verify $((Y=7))/\t',
  `verify *(e:'${TRAP}':)/j\t`,
  `verify <(${TRAP})/\t`,
  `verify =(${TRAP})/\t`,
  `verify ~[${TRAP}]/\t`,
];

describe.each(['bash', 'zsh'] as const)('the tabulator in %s', (shell) => {
  let given: readonly (readonly string[] | null)[];

  beforeAll(() => {
    given = typed(shell, [
      ...LINES.map(([line]) => `gen-block ${line}\n`),
      ...TRAPS.map((line) => `gen-block ${line}`),
      'gen-block "${Y-unset}"\n',
    ]);
  });

  test('completes commands, options, values, files and folders', () => {
    // zsh takes the slash of a folder back where the word ends.
    const plain = (words: readonly string[] | null): readonly string[] =>
      (words ?? []).map((word) => word.replace(/\/$/, ''));
    expect(given.slice(0, LINES.length).map(plain)).toEqual(LINES.map(([, words]) => plain(words)));
  });

  test('runs nothing of what was typed', () => {
    expect(given.slice(LINES.length, -1)).toEqual(TRAPS.map(() => null));
    expect(given.at(-1)).toEqual(['unset']);
    expect(readdirSync(folder)).not.toContain('was-run');
  });
});

/** What fish itself offers for lines: names without their descriptions. */
function fishOffers(lines: readonly string[]): readonly (readonly string[])[] {
  const script = `source "$argv[1]"
for line in $argv[2..]
  complete -C "$line"
  echo ----
end`;
  const program = ['--no-config', '-c', script, join(scripts, SCRIPT_NAMES.fish), ...lines];
  const env = { PATH: '/usr/bin:/bin', HOME: folder };
  const text = execFileSync('fish', program, { cwd: folder, env, encoding: 'utf8' });
  const blocks = text.split('----\n').slice(0, -1);
  return blocks.map((block) => block.split('\n').slice(0, -1));
}

function names(offers: readonly string[] = []): readonly string[] {
  return offers.map((offer) => offer.split('\t')[0] ?? '');
}

describe('the tabulator in fish', () => {
  const OFFERS: readonly (readonly [string, readonly string[]])[] = [
    ['ver', ['verify']],
    ['--ga', ['--game']],
    ['--game ', ['eldorado', 'lagon-paradis']],
    ['-g el', ['eldorado']],
    ['--stake ', ['0.5', '1', '2']],
    ['--engine=c', ['--engine=chacha20']],
    ['generate --format n', ['ndjson', 'ndjson,csv']],
    ['--compress ', ['gzip']],
    ['verify x --policy ', ['production']],
    ['games lag', ['lagon-paradis']],
    ['games eldorado --lang ', ['en', 'fr']],
    ['games check jo', ['jobs.json']],
    ['export x --dialect ', ['excel-fr', 'long']],
    ['batch fin', ['finish']],
    ['batch finish jobs.json sh', ['share one/']],
    ['help ver', ['verify']],
    ['key help ', ['id', 'new']],
    ['completion ', ['bash', 'fish', 'zsh']],
    ['--seed-file se', ['seed of many']],
    ['--out ', ['output/', 'share one/']],
    ['--out jo', []],
    ['--seed jo', []],
    ['--block ', []],
    ['batch finish --ga', []],
  ];

  test('completes commands, options, values, files and folders', () => {
    const offers = fishOffers(OFFERS.map(([line]) => `gen-block ${line}`));
    expect(offers.map(names)).toEqual(OFFERS.map(([, words]) => words));
    expect(offers[1]).toEqual(['--game\tgame: eldorado or lagon-paradis']);
  });

  test('runs nothing of what was typed', () => {
    const traps = [...TRAPS.map((line) => line.trim()), `--out (${TRAP})/`, `(${TRAP}) --ga`];
    fishOffers(traps.map((line) => `gen-block ${line}`));
    expect(readdirSync(folder)).not.toContain('was-run');
  });
});

describe('the script for bash', () => {
  /** Calls the function as bash does, with what kind of completion it is. */
  function offered(type: number, ...words: readonly string[]): readonly string[] {
    const script = `source "$1"; COMP_TYPE=$2 COLUMNS=60; shift 2; COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1)); _gen_block; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const path = join(scripts, SCRIPT_NAMES.bash);
    const text = execFileSync('bash', ['-c', script, '-', path, `${type}`, ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    return text.split('\n').filter((line) => line !== '');
  }

  test('says in lists what options mean, no wider than the terminal', () => {
    expect(offered(63, 'gen-block', 'games', '--st')).toEqual(['--stake']);
    expect(offered(63, 'gen-block', 'games', '--m')).toEqual(['--markdown']);
    expect(offered(63, 'gen-block', 'show', '--se')).toEqual([
      '--seed                (seed, for tests: others can see the c',
      '--seed-file           (file with the seed; - for standard in',
    ]);
    expect(offered(9, 'gen-block', 'show', '--se')).toEqual(['--seed', '--seed-file']);
  });

  test('offers the options of a command that takes nothing else', () => {
    const options = ['--to', '--json', '--quiet', '--help'];
    expect(offered(9, 'gen-block', 'status', '')).toEqual(options);
  });
});

describe('the scripts', () => {
  test.each(SHELLS)('are shipped for %s as the program prints them', (shell: Shell) => {
    const path = join(SHIPPED, SCRIPT_NAMES[shell]);
    expect(existsSync(path) ? readFileSync(path, 'utf8') : 'run the build first').toBe(
      completionScript(shell, makeProgram([])),
    );
  });
});
