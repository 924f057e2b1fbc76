import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ProgressBar, processTerminal, type Terminal } from './terminal.js';

const isTTY = process.stderr.isTTY;
let said: { stdout: string; stderr: string };

beforeEach(() => {
  said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    });
  }
});

afterEach(() => {
  jest.restoreAllMocks();
  process.stderr.isTTY = isTTY;
});

describe('the terminal', () => {
  test('has data on standard output and words on standard error', () => {
    const terminal = processTerminal({});
    terminal.note('a remark');
    terminal.error('a failure');
    terminal.write('data\n');
    expect(said).toEqual({
      stdout: 'data\n',
      stderr: 'gen-block: a remark\ngen-block: a failure\n',
    });
  });

  test('says nothing but errors and data when it is quiet', () => {
    const terminal = processTerminal({ quiet: true });
    terminal.note('a remark');
    terminal.error('a failure');
    terminal.write('data\n');
    expect(said).toEqual({ stdout: 'data\n', stderr: 'gen-block: a failure\n' });
  });

  test.each([
    [true, false, true],
    [true, true, false],
    [false, false, false],
  ])('with a terminal %p and quiet %p is watched: %p', (hasTerminal, quiet, isWatched) => {
    process.stderr.isTTY = hasTerminal;
    expect(processTerminal({ quiet }).isWatched).toBe(isWatched);
  });
});

describe('the progress bar', () => {
  const terminal = (isWatched: boolean): Terminal => ({ ...processTerminal({}), isWatched });

  test('draws a phase, its rate and its unit where people watch', async () => {
    process.stderr.isTTY = true;
    const bar = await ProgressBar.open(terminal(true));
    bar.show({ phase: 'drawing', done: 4096, total: 9000 });
    bar.show({ phase: 'drawing', done: 9000, total: 9000 });
    bar.show({ phase: 'verifying', done: 10, total: 10 });
    bar.stop();
    expect(said.stderr).toMatch(/drawing [=-]+ 0 %, … tickets a second/);
    expect(said.stderr).toMatch(/drawing =+ 100 %, [\d,]+ tickets a second/);
    expect(said.stderr).toMatch(/verifying =+ 100 %, [\d,]+ bytes a second/);
    // The cursor is hidden while it draws, and shown again.
    expect(said.stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThan(
      said.stderr.lastIndexOf('\u001b[?25l'),
    );
    expect(said.stdout).toBe('');
  });

  test('draws the blocks of a batch, with the rate since it was drawn last', async () => {
    process.stderr.isTTY = true;
    const bar = await ProgressBar.open(terminal(true));
    bar.show({ phase: 'batch', label: 'block 2 of 2', done: 500, total: 1000 });
    bar.show({ phase: 'batch', label: 'block 2 of 2', done: 1000, total: 1000 });
    bar.stop();
    expect(said.stderr).toMatch(/block 2 of 2 [=-]+ 50 %, … tickets a second/);
    expect(said.stderr).toMatch(/block 2 of 2 =+ 100 %, [\d,]+ tickets a second/);
  });

  test('draws nothing where nobody watches', async () => {
    const bar = await ProgressBar.open(terminal(false));
    bar.show({ phase: 'drawing', done: 9000, total: 9000 });
    bar.stop();
    expect(said).toEqual({ stdout: '', stderr: '' });
  });

  test('may be stopped before it has begun', async () => {
    process.stderr.isTTY = true;
    (await ProgressBar.open(terminal(true))).stop();
    expect(said.stdout).toBe('');
  });
});
