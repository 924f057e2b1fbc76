/*
 * What encrypting a file costs beside Debian's `age`: `npm run bench:encryption`. Whole processes, and the
 * second file of a process, which has loaded all that it needs by then. What is decrypted is not written.
 * Each round takes every measure once.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findTools, measure } from './machine.mjs';
import { median } from './ratios.mjs';
import { markdownTable } from './tables.mjs';

const { values: options } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '100' },
    runs: { type: 'string', default: '7' },
    /** Set by this program for its own processes: what to do, from where, to where, with which key. */
    task: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    key: { type: 'string' },
  },
});

const BUFFER_BYTES = 524_288;

async function* piecesOf(path) {
  const handle = await open(path);
  const buffer = new Uint8Array(BUFFER_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, BUFFER_BYTES);
    if (bytesRead === 0) break;
    yield buffer.subarray(0, bytesRead);
  }
  await handle.close();
}

async function encrypt(from, to, recipient) {
  const { AgeEncrypter } = await import('../dist/block/age-encrypter.js');
  const output = await open(to, 'w');
  const encrypter = await AgeEncrypter.create([recipient]);
  for await (const piece of piecesOf(from)) await output.write(encrypter.encrypt(piece));
  await output.write(encrypter.finish());
  await output.close();
}

async function decrypt(from, to, identity) {
  const { decryptAge } = await import('../dist/formats/decrypt-age.js');
  let bytes = 0;
  for await (const piece of decryptAge(piecesOf(from), [identity])) bytes += piece.length;
  if (bytes === 0) throw new Error(`nothing is in ${from}`);
}

/** Does a task, or does it twice and measures the second time. */
async function runTask({ task, from, to, key }) {
  const work = task.startsWith('encrypt') ? encrypt : decrypt;
  if (task.endsWith('again')) await work(from, to, key);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await work(from, to, key);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(JSON.stringify({ wallSeconds: seconds, cpuSeconds: (user + system) / 1e6 }));
}

async function compare(folder, { megabytes, runs }) {
  const tools = findTools(folder);
  const [plain, encrypted, output] = ['plain', 'encrypted', 'output'].map((n) => join(folder, n));
  const identityFile = join(folder, 'key');
  execFileSync('age-keygen', ['-o', identityFile], { stdio: 'ignore' });
  const recipient = execFileSync('age-keygen', ['-y', identityFile], { encoding: 'utf8' }).trim();
  const identity = readFileSync(identityFile, 'utf8').match(/^AGE-SECRET-KEY-.*$/m)[0];
  writeFileSync(plain, randomBytes(Number(megabytes) * 1e6));
  execFileSync('age', ['-r', recipient, '-o', encrypted, plain]);
  const own = (task, from, key) => {
    const words = ['--task', task, '--from', from, '--to', output, '--key', key];
    return [process.execPath, fileURLToPath(import.meta.url), ...words];
  };
  const whole = (words) => measure({ ...tools, words });
  const again = async ([program, ...words]) =>
    JSON.parse(execFileSync(program, words, { encoding: 'utf8' }));
  const measures = {
    'age, encrypting': () => whole(['age', '-r', recipient, '-o', output, plain]),
    'ours, encrypting, whole process': () => whole(own('encrypt', plain, recipient)),
    'ours, encrypting, second file': () => again(own('encrypt-again', plain, recipient)),
    'age, decrypting': () => whole(['age', '-d', '-i', identityFile, '-o', '/dev/null', encrypted]),
    'ours, decrypting, whole process': () => whole(own('decrypt', encrypted, identity)),
    'ours, decrypting, second file': () => again(own('decrypt-again', encrypted, identity)),
  };
  const costs = new Map(Object.keys(measures).map((name) => [name, []]));
  for (let round = 0; round < Number(runs); round += 1) {
    for (const [name, take] of Object.entries(measures)) {
      rmSync(output, { force: true });
      costs.get(name).push(await take());
    }
  }
  return costs;
}

function rowOf([name, costs], all) {
  const medianOf = (list, quantity) => median(list.map((cost) => cost[quantity]));
  const age = all.get(name.includes('encrypting') ? 'age, encrypting' : 'age, decrypting');
  const cells = ['wallSeconds', 'cpuSeconds'].flatMap((quantity) => {
    const value = medianOf(costs, quantity);
    return [value.toFixed(2), (value / medianOf(age, quantity)).toFixed(1)];
  });
  return [name, ...cells];
}

if (options.task !== undefined) {
  await runTask(options);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'gen-block-bench-'));
  try {
    const costs = await compare(folder, options);
    const head = [`${options.megabytes} MB`, 'wall (s)', 'x age', 'CPU (s)', 'x age'];
    const rows = [...costs].map((entry) => rowOf(entry, costs));
    process.stdout.write(`${markdownTable(head, rows)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
