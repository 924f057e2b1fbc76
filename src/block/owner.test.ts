import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { isOwnerGone, OWNER_TAG, ownerTag } from './owner.js';

const [, WORLD = ''] = ownerTag().split('-');

test('a tag is the number of this process and a hash of its world, the same each time', () => {
  expect(ownerTag()).toMatch(new RegExp(`^${process.pid}-[0-9a-f]{12}$`));
  expect(ownerTag()).toBe(ownerTag());
});

test("a thread's tag has its number as well, and it is not known to be gone before its process", () => {
  expect(ownerTag(3)).toBe(ownerTag().replace('-', 't3-'));
  expect(ownerTag(3)).toMatch(new RegExp(`^${OWNER_TAG}$`));
  expect(isOwnerGone(ownerTag(3))).toBe(false);
  const { pid } = spawnSync('true');
  expect(isOwnerGone(`${pid}t3-${WORLD}`)).toBe(true);
});

test('this process is not gone', () => {
  expect(isOwnerGone(ownerTag())).toBe(false);
});

test('a process is gone once it has ended, and not before', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const tag = `${child.pid ?? 0}-${WORLD}`;
  expect(isOwnerGone(tag)).toBe(false);
  const ended = once(child, 'exit');
  child.stdin.end();
  await ended;
  expect(isOwnerGone(tag)).toBe(true);
});

test('a process of another host, boot or container is never known to be gone', () => {
  const { pid } = spawnSync('true');
  expect(isOwnerGone(`${pid}-${WORLD}`)).toBe(true);
  expect(isOwnerGone(`${pid}-${'0'.repeat(12)}`)).toBe(false);
});

test.each(['', '-', 'x', '1-'])('the tag %j is of no known world, so nobody is gone', (tag) => {
  expect(isOwnerGone(tag)).toBe(false);
});
