import { writeFileSync } from 'node:fs';
import * as actualFiles from 'node:fs/promises';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { FaultyFiles } from '../testing/faulty-files.js';
import { folderMaker, sampleRequest } from '../testing/sample-requests.js';

const files = new FaultyFiles(actualFiles);
jest.unstable_mockModule('node:fs/promises', () => files.module);
const { readTicketsFile } = await import('./read-tickets-file.js');
const { FindingLog } = await import('./finding.js');

const newFolder = folderMaker();

test.each(['stat', 'read'])(
  'a file whose %s fails is closed, and the machine has failed',
  async (call) => {
    const path = join(newFolder(), 'tickets.csv');
    writeFileSync(path, 'ticket\n');
    const { game } = sampleRequest('rows-plain');
    const log = new FindingLog();
    const input = {
      game,
      stake: game.stakes[0]!,
      format: 'csv',
      file: 'tickets.csv',
      log,
    } as const;
    files.arm({ call, nth: 1, code: 'EIO' });
    const read = readTicketsFile(path, input);
    await expect(read).rejects.toMatchObject({ name: 'MachineError', code: 'EIO' });
    expect(files.calls.slice(-2)).toEqual([call, 'close']);
  },
);
