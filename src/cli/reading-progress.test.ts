import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Progress } from '../block/generate-block.js';
import { folderMaker } from '../testing/sample-requests.js';
import { readingProgress } from './reading-progress.js';
import type { ProgressBar } from './terminal.js';

const newFolder = folderMaker();

/** What is shown after 10 and after 30 bytes of these paths. */
function shownOf(...paths: readonly string[]): readonly Progress[] {
  const shown: Progress[] = [];
  const bar = { show: (progress: Progress) => void shown.push(progress) } as unknown as ProgressBar;
  const onBytes = readingProgress(bar, paths);
  onBytes(10);
  onBytes(20);
  return shown;
}

test('the whole is what the plain files hold, or else what has been read', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'tickets.ndjson'), 'x'.repeat(40));
  writeFileSync(join(folder, 'tickets.csv'), 'x'.repeat(25));
  writeFileSync(join(folder, 'manifest.json'), 'x'.repeat(1000));
  writeFileSync(join(folder, 'tickets.csv.gz'), 'x'.repeat(500));
  mkdirSync(join(folder, 'empty'));
  const totals = (...paths: readonly string[]): readonly number[] =>
    shownOf(...paths).map(({ total }) => total);
  expect(shownOf(folder)).toEqual([
    { phase: 'verifying', done: 10, total: 65 },
    { phase: 'verifying', done: 30, total: 65 },
  ]);
  expect(totals(join(folder, 'manifest.json'))).toEqual([65, 65]);
  expect(totals(folder, folder)).toEqual([130, 130]);
  expect(totals(join(folder, 'tickets.csv'))).toEqual([25, 30]);
  expect(totals(join(folder, 'tickets.csv.gz'))).toEqual([10, 30]);
  expect(totals(join(folder, 'empty'))).toEqual([10, 30]);
  expect(totals(join(folder, 'tickets.csv', 'none'))).toEqual([10, 30]);
});
