import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { TICKET_FORMATS, ticketsFileName } from '../formats/ticket-formats.js';
import { generateBlock } from './generate-block.js';
import type { BlockRequest } from './plan-block.js';
import { streamBlock } from './stream-block.js';

const PATH = fileURLToPath(new URL('../../fixtures/definitions/lagon-mini.json', import.meta.url));
const REQUEST: BlockRequest = {
  game: loadDefinitionFile(PATH),
  stakeCents: 50,
  seed: Buffer.from('a stream'),
  engine: 'seedrandom',
  emission: 3,
  block: 9,
};

describe.each(TICKET_FORMATS)('a block streamed as %s', (format) => {
  test('has the bytes and the manifest of the block on the disk', async () => {
    const pieces: Buffer[] = [];
    const steps: number[] = [];
    const { manifest, report } = await streamBlock(REQUEST, {
      format,
      write: (bytes) => {
        pieces.push(Buffer.from(bytes));
        return Promise.resolve();
      },
      onProgress: ({ done }) => steps.push(done),
    });
    const outputFolder = mkdtempSync(join(tmpdir(), 'stream-block-'));
    try {
      const { folder } = await generateBlock(REQUEST, { outputFolder, formats: [format] });
      const streamed = Buffer.concat(pieces);
      expect(streamed.equals(readFileSync(join(folder, ticketsFileName({ format }))))).toBe(true);
      expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest);
      const sha256 = createHash('sha256').update(streamed).digest('hex');
      expect(manifest.files).toMatchObject([{ format, records: 8000, sha256 }]);
    } finally {
      rmSync(outputFolder, { recursive: true });
    }
    expect(report.conforms).toBe(true);
    expect(report.notChecked.join()).toContain('nothing was read back');
    expect(steps.at(-1)).toBe(8000);
  });
});

test('a stream ends with the error of its writer, and nothing is written after it', async () => {
  let calls = 0;
  const write = (): Promise<void> => {
    calls += 1;
    return calls === 2 ? Promise.reject(new Error('the reader is gone')) : Promise.resolve();
  };
  await expect(streamBlock(REQUEST, { format: 'csv', write })).rejects.toThrow(
    'the reader is gone',
  );
  expect(calls).toBe(2);
});

test('a stream that is stopped throws the reason and writes no more', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  let calls = 0;
  const write = (): Promise<void> => {
    calls += 1;
    controller.abort(reason);
    return Promise.resolve();
  };
  const { signal } = controller;
  await expect(streamBlock(REQUEST, { format: 'ndjson', write, signal })).rejects.toBe(reason);
  expect(calls).toBe(1);
});
