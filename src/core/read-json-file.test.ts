import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { InputError, MachineError } from './errors.js';
import { readJsonFile } from './read-json-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'gen-block-json-'));
const file = path.join(folder, 'file.json');
writeFileSync(file, '{"a": 1}');

afterAll(() => rmSync(folder, { recursive: true }));

/** The error with which a file is refused. */
function refusalOf(file: string, maxBytes?: number): unknown {
  try {
    readJsonFile(file, maxBytes);
  } catch (error) {
    return error;
  }
  throw new Error('the file was expected to be refused');
}

describe('reading a JSON file', () => {
  test('gives its value, also through a symbolic link', () => {
    const link = path.join(folder, 'link.json');
    symlinkSync(file, link);
    expect(readJsonFile(file)).toEqual({ a: 1 });
    expect(readJsonFile(link)).toEqual({ a: 1 });
  });

  test('names the file and the place of what it refuses', () => {
    const broken = path.join(folder, 'broken.json');
    writeFileSync(broken, '{\n  "a": 1.5}');
    expect(refusalOf(broken)).toMatchObject({ code: 'bad-json', place: `${broken}:2:8` });
  });

  test('accepts a file of the size limit and refuses one byte more', () => {
    expect(readJsonFile(file, 8)).toEqual({ a: 1 });
    const message = `${file}: the text is longer than 7 bytes; check that it is the right file`;
    expect(refusalOf(file, 7)).toMatchObject({ code: 'bad-json', message });
  });

  test.each(['missing.json', 'file.json/below.json'])('says that there is no %s', (name) => {
    const missing = path.join(folder, name);
    const message = `there is no file ${missing}; check the path`;
    expect(refusalOf(missing)).toEqual(new InputError('not-found', message));
    expect(refusalOf(missing)).toMatchObject({ code: 'not-found', place: missing });
  });

  test('says that a link to itself leads to no file', () => {
    const loop = path.join(folder, 'loop.json');
    symlinkSync(loop, loop);
    expect(refusalOf(loop)).toMatchObject({ code: 'not-found' });
  });

  test('refuses a folder, a device and a pipe, and does not wait for any of them', () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('/usr/bin/mkfifo', [pipe]);
    for (const special of [folder, '/dev/zero', pipe]) {
      const message = `${special} is not a regular file; name the file itself`;
      expect(refusalOf(special)).toMatchObject({ code: 'not-found', message });
    }
  });

  test('blames the machine where the path cannot be looked up', () => {
    const error = refusalOf(path.join(folder, 'a'.repeat(300)));
    expect(error).toBeInstanceOf(MachineError);
    expect(error).toHaveProperty('code', 'ENAMETOOLONG');
  });

  test('blames the machine where the file cannot be read', () => {
    // Reading another process's memory at address 0 is an input/output error.
    const error = refusalOf('/proc/self/mem');
    expect(error).toBeInstanceOf(MachineError);
    expect(error).toHaveProperty('code', 'EIO');
  });
});
