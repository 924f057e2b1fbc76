import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MachineError } from '../core/errors.js';
import { folderMaker } from '../testing/sample-requests.js';
import { TicketsFileWriter } from './tickets-file-writer.js';

const newFolder = folderMaker();

describe('a tickets file that is written piece by piece', () => {
  test.each([0, 1, 2, 3, 10, 101])('has all bytes of %d pieces, in order', async (pieces) => {
    const path = join(newFolder(), 'tickets.csv');
    const writer = await TicketsFileWriter.create(path, { bufferBytes: 5000 });
    const expected: Buffer[] = [];
    for (let piece = 0; piece < pieces; piece += 1) {
      const bytes = Buffer.alloc((piece * 997) % 5001, `<${piece}>`);
      (await writer.nextBuffer()).set(bytes);
      writer.write(bytes.length);
      expected.push(bytes);
    }
    const facts = await writer.finish();
    const whole = Buffer.concat(expected);
    expect(readFileSync(path).equals(whole)).toBe(true);
    const sha256 = createHash('sha256').update(whole).digest('hex');
    expect(facts).toEqual({ bytes: whole.length, sha256 });
  });

  test('is not disturbed by what is filled into the next buffer meanwhile', async () => {
    const path = join(newFolder(), 'tickets.csv');
    const writer = await TicketsFileWriter.create(path, { bufferBytes: 10 });
    for (const letter of ['a', 'b', 'c', 'd']) {
      (await writer.nextBuffer()).fill(letter.charCodeAt(0));
      writer.write(10);
      // The buffer that is free now is another one, or its bytes are on the disk.
      (await writer.nextBuffer()).fill(0x2d);
    }
    await writer.finish();
    expect(readFileSync(path, 'latin1')).toBe(
      ['a', 'b', 'c', 'd'].map((l) => l.repeat(10)).join(''),
    );
  });

  test('may be closed without being finished, and closed again', async () => {
    const path = join(newFolder(), 'tickets.csv');
    const writer = await TicketsFileWriter.create(path, { bufferBytes: 10 });
    await writer.nextBuffer();
    writer.write(10);
    await writer.close();
    await writer.close();
    expect(readFileSync(path)).toHaveLength(10);
  });

  test('is not made where one is', async () => {
    const path = join(newFolder(), 'tickets.csv');
    const writer = await TicketsFileWriter.create(path, { bufferBytes: 10 });
    await expect(TicketsFileWriter.create(path, { bufferBytes: 10 })).rejects.toThrow(MachineError);
    await writer.close();
  });

  test.each([
    ['the next buffer', async (writer: TicketsFileWriter): Promise<unknown> => fillThrice(writer)],
    ['the end', async (writer: TicketsFileWriter): Promise<unknown> => writer.finish()],
  ])('reports a failed write at %s', async (_, use) => {
    const writer = await TicketsFileWriter.create(join(newFolder(), 'tickets.csv'), {
      bufferBytes: 10,
    });
    // Nothing can be written any more, for want of a disk that is full.
    await writer.close();
    await writer.nextBuffer();
    writer.write(10);
    await expect(use(writer)).rejects.toThrow('cannot write');
  });
});

async function fillThrice(writer: TicketsFileWriter): Promise<void> {
  for (let piece = 0; piece < 3; piece += 1) {
    await writer.nextBuffer();
    writer.write(1);
  }
}
