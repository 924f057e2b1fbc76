import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newAgeKey } from '../testing/age-lab.js';
import { resultOf, runProcess, startProcess } from '../testing/command-line.js';
import { sampleDefinition } from '../testing/sample-definitions.js';
import { folderMaker } from '../testing/sample-requests.js';

jest.setTimeout(300_000);
const newFolder = folderMaker();

/** A block of several chunks, so that a kill can come in the middle of its files. */
const DEFINITION = join(newFolder(), 'mid-size.json');
writeFileSync(
  DEFINITION,
  JSON.stringify(sampleDefinition('eldorado-mini', ['/block_size', 24_000])),
);
const ARGV = ['--definition', DEFINITION, '--stake', '1', '--seed', 'demo', '--quiet'];

let recipient: string;

beforeAll(async () => {
  ({ recipient } = await newAgeKey());
});

/** Every file under a folder. */
function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What gives a record or the header of a tickets file away. */
const RECORD =
  /"prize_cents":\d+,"combination":"\w*","grids"|ticket,prize_cents|\n\d+,\d+,\w*,[A-Z/]{6}/;

/** The files that hold records for anybody to read. */
function plainFiles(folder: string): readonly string[] {
  return filesUnder(folder).filter((path) => RECORD.test(readFileSync(path, 'latin1')));
}

/** A run that may write into a folder of its own only: its output, temporary files, and where it runs. */
function placesIn(place: string) {
  const options = { cwd: place, env: { TMPDIR: place, TMP: place, TEMP: place } };
  return { out: join(place, 'blocks'), options };
}

describe('the disk', () => {
  test('has records on it where a block is not encrypted, which the search finds', async () => {
    const place = newFolder();
    const { out, options } = placesIn(place);
    const made = await runProcess([...ARGV, '--out', out], options);
    expect([made.exitCode, plainFiles(place).length]).toEqual([0, 2]);
  });

  test.each([[[]], [['--compress', 'gzip']]])('has none where it is (%j)', async (more) => {
    const place = newFolder();
    const { out, options } = placesIn(place);
    const argv = [...ARGV, '--out', out, '--encrypt-to', recipient, ...more];
    expect(await runProcess(argv, options)).toMatchObject({ exitCode: 0 });
    expect(filesUnder(place).filter((path) => path.endsWith('.age'))).toHaveLength(2);
    expect(plainFiles(place)).toEqual([]);
  });

  test('has none where the run is killed in its middle', async () => {
    let caught = 0;
    for (let kill = 0; kill < 2; kill += 1) {
      const place = newFolder();
      const { out, options } = placesIn(place);
      const child = startProcess([...ARGV, '--out', out, '--encrypt-to', recipient], options);
      const ended = resultOf(child);
      const begun = (): readonly string[] =>
        existsSync(out) ? filesUnder(out).filter((path) => path.endsWith('.age')) : [];
      while (child.exitCode === null && begun().length < 2) await setTimeout(1);
      await setTimeout(kill * 40);
      child.kill('SIGKILL');
      if ((await ended).signal === 'SIGKILL' && begun().length === 2) caught += 1;
      expect(plainFiles(place)).toEqual([]);
    }
    expect(caught).toBeGreaterThan(0);
  });
});
