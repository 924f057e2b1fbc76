import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ownerTag } from './owner.js';
import { folderMaker } from '../testing/sample-requests.js';
import { BATCH_LOCK, clearThreadLock, lockFolder, REGISTRY_LOCK } from './folder-lock.js';
import { isHolderGone, parseHolder, thisHolder, type LockHolder } from './lock-holder.js';

const newFolder = folderMaker();
const NONCE = 'ab'.repeat(16);
const LOCK_FILE = BATCH_LOCK.file;
const LOCKED = { name: 'InputError', code: 'locked' };

let out: string;

beforeEach(() => {
  out = newFolder();
});

/** A holder like this process, but for some changes. */
function holder(changes: Partial<LockHolder> = {}): LockHolder {
  return { ...thisHolder(NONCE), ...changes };
}

/** The number of a process that has ended. */
function deadPid(): number {
  return spawnSync('true').pid;
}

function writeLock(changes: Partial<LockHolder>, name = LOCK_FILE): void {
  writeFileSync(join(out, name), JSON.stringify(holder(changes)));
}

describe('the holder of a lock', () => {
  test('is known by its text, and nothing else is taken for one', () => {
    const mine = thisHolder(NONCE);
    expect(parseHolder(JSON.parse(JSON.stringify(mine)))).toEqual(mine);
    expect(Object.keys(mine)).toEqual([
      'format',
      'pid',
      'host',
      'machine',
      'boot',
      'namespace',
      'started',
      'thread',
      'nonce',
    ]);
    for (const wrong of [
      null,
      7,
      [],
      {},
      { ...mine, pid: 0 },
      { ...mine, pid: -1 },
      { ...mine, pid: 1.5 },
      { ...mine, format: 'x' },
      { ...mine, nonce: '../../x' },
      { ...mine, host: 7 },
      { ...mine, thread: 'x' },
    ]) {
      expect(parseHolder(wrong)).toBeUndefined();
    }
  });

  test('is not gone while it runs, and neither is one that cannot be known', () => {
    const pid = deadPid();
    expect(isHolderGone(holder())).toBe(false);
    expect(isHolderGone(holder({ pid, host: 'elsewhere' }))).toBe(false);
    expect(isHolderGone(holder({ pid, machine: 'another' }))).toBe(false);
    expect(isHolderGone(holder({ pid, namespace: 'pid:[1]' }))).toBe(false);
    expect(isHolderGone(holder({ pid, boot: '' }))).toBe(false);
    expect(isHolderGone(holder({ started: '' }))).toBe(false);
    // Another boot of a machine that has no name can be another machine.
    expect(isHolderGone(holder({ boot: 'another', machine: '' }))).toBe(false);
  });

  test('is gone when it has ended, when its number is another process, or after a new start', () => {
    expect(isHolderGone(holder({ pid: deadPid() }))).toBe(true);
    expect(isHolderGone(holder({ started: '1' }))).toBe(true);
    const hasName = holder().machine !== '';
    expect(isHolderGone(holder({ boot: '00000000-0000-0000-0000-000000000000' }))).toBe(hasName);
  });

  test('is gone as soon as it has ended, even if its parent has not noticed', async () => {
    // The shell becomes a program that never asks for the exit code of its child.
    const child = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 9'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(text.toString());
    const isZombie = () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
    for (let attempt = 0; attempt < 200 && !isZombie(); attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const isGone = isHolderGone(holder({ pid, started: '' }));
    child.kill();
    expect(isGone).toBe(true);
  });
});

describe('the lock of a thread that has died', () => {
  test('is removed by the process that it was a thread of, and no other is', async () => {
    const name = REGISTRY_LOCK.file;
    const tag = ownerTag(7);
    writeLock({ thread: 7 }, name);
    writeFileSync(join(out, `${name}.new-${tag}-${NONCE}`), '');
    writeFileSync(join(out, `${name}.new-${ownerTag()}-${NONCE}`), '');
    await clearThreadLock(out, REGISTRY_LOCK, 8);
    expect(readdirSync(out)).toHaveLength(3);
    await clearThreadLock(out, REGISTRY_LOCK, 7);
    expect(readdirSync(out)).toEqual([`${name}.new-${ownerTag()}-${NONCE}`]);
    writeLock({ thread: 7, pid: process.ppid }, name);
    await clearThreadLock(out, REGISTRY_LOCK, 7);
    expect(readdirSync(out)).toContain(name);
  });
});

describe('the lock of a folder', () => {
  test('is not waited for where what stands there is none', async () => {
    writeFileSync(join(out, REGISTRY_LOCK.file), '');
    const veryPatient = { ...REGISTRY_LOCK, patienceMs: 3_600_000 };
    await expect(lockFolder(out, veryPatient)).rejects.toMatchObject(LOCKED);
  });

  test('is another for each purpose', async () => {
    const batch = await lockFolder(out, BATCH_LOCK);
    const registry = await lockFolder(out, REGISTRY_LOCK);
    expect(readdirSync(out)).toEqual([LOCK_FILE, REGISTRY_LOCK.file]);
    await registry.release();
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
    await batch.release();
  });

  test('is waited for, where its purpose has patience, but not for ever', async () => {
    const patient = { ...REGISTRY_LOCK, patienceMs: 150 };
    const first = await lockFolder(out, patient);
    const second = lockFolder(out, patient);
    await first.release();
    const held = await second;
    await expect(lockFolder(out, patient)).rejects.toMatchObject({
      ...LOCKED,
      message: expect.stringContaining('another process writes the registry of this folder'),
    });
    await held.release();
    expect(readdirSync(out)).toEqual([]);
  });

  test('is there for its owner only while it is held, and says who holds it', async () => {
    const lock = await lockFolder(out, BATCH_LOCK);
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
    const path = join(out, LOCK_FILE);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
    await expect(lockFolder(out, BATCH_LOCK)).rejects.toMatchObject({
      ...LOCKED,
      message: expect.stringMatching(
        new RegExp(
          `^another process makes a batch in this folder: process ${process.pid} on \\S+ has held \\S+ since 20`,
        ),
      ),
    });
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
    await lock.release();
    expect(readdirSync(out)).toEqual([]);
    await (await lockFolder(out, BATCH_LOCK)).release();
  });

  test.each<[string, Partial<LockHolder>]>([
    ['a process that has ended', { pid: deadPid() }],
    ['a process whose number another has now', { started: '1' }],
    ['an earlier start of this host', { boot: '00000000-0000-0000-0000-000000000000' }],
  ])('of %s is taken over', async (_, changes) => {
    writeLock(changes);
    const lock = await lockFolder(out, BATCH_LOCK);
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
    expect(JSON.parse(readFileSync(join(out, LOCK_FILE), 'utf8'))).not.toMatchObject({
      nonce: NONCE,
    });
    await lock.release();
  });

  test('of another host is not taken over, and its name cannot steer the terminal', async () => {
    writeLock({ host: 'else\u001b[31mwhere', pid: deadPid() });
    await expect(lockFolder(out, BATCH_LOCK)).rejects.toMatchObject({
      ...LOCKED,
      message: expect.stringContaining('on else\\u{1b}[31mwhere has held'),
    });
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
  });

  test.each([
    ['empty', ''],
    ['no JSON', 'x'],
    ['of another form', '{}'],
    ['too long', ' '.repeat(5000)],
  ])('is not touched where it is %s', async (_, text) => {
    writeFileSync(join(out, LOCK_FILE), text);
    await expect(lockFolder(out, BATCH_LOCK)).rejects.toMatchObject({
      ...LOCKED,
      message: expect.stringContaining('is no lock that gen-block has made'),
    });
    expect(readFileSync(join(out, LOCK_FILE), 'utf8')).toBe(text);
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
  });

  test('is not followed where it is a link', async () => {
    const elsewhere = join(newFolder(), 'lock');
    symlinkSync(elsewhere, join(out, LOCK_FILE));
    await expect(lockFolder(out, BATCH_LOCK)).rejects.toMatchObject(LOCKED);
    writeFileSync(elsewhere, JSON.stringify(holder({ pid: deadPid() })));
    await expect(lockFolder(out, BATCH_LOCK)).rejects.toMatchObject(LOCKED);
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
  });

  test('is left alone by the release of one that it has replaced', async () => {
    const lock = await lockFolder(out, BATCH_LOCK);
    writeLock({ host: 'elsewhere' });
    await lock.release();
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
  });

  test('is got by exactly one of many that find a dead one', async () => {
    writeLock({ pid: deadPid() });
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => lockFolder(out, BATCH_LOCK)),
    );
    const won = results.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(LOCKED);
    }
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
  });

  test('is got where the taker of a dead one has died in the middle of it', async () => {
    const taker = { pid: deadPid(), nonce: 'cd'.repeat(16) };
    writeLock({ pid: deadPid() });
    writeLock(taker, `${LOCK_FILE}.${NONCE}`);
    writeLock(taker, `${LOCK_FILE}.${'ef'.repeat(16)}`);
    const world = ownerTag().split('-')[1] ?? '';
    writeFileSync(join(out, `${LOCK_FILE}.new-${deadPid()}-${world}-${'12'.repeat(16)}`), '');
    const lock = await lockFolder(out, BATCH_LOCK);
    expect(readdirSync(out)).toEqual([LOCK_FILE]);
    await lock.release();
  });

  test('is refused while another that is alive takes a dead one away', async () => {
    writeLock({ pid: deadPid() });
    writeLock({ nonce: 'cd'.repeat(16) }, `${LOCK_FILE}.${NONCE}`);
    await expect(lockFolder(out, BATCH_LOCK)).rejects.toMatchObject(LOCKED);
    expect(readdirSync(out)).toEqual([LOCK_FILE, `${LOCK_FILE}.${NONCE}`]);
  });
});
