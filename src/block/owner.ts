import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { threadId } from 'node:worker_threads';
import { systemErrorCode } from '../core/errors.js';

/** What a tag looks like, for the expressions of names that hold one. */
export const OWNER_TAG = String.raw`\d+(?:t\d+)?-[0-9a-f]{12}`;

/**
 * Says whose a temporary folder is: the process number, the number of the thread where it is not the
 * main one, and a hash of the world in which these mean something (host, boot, process namespace). No
 * two threads of a process have one number, also after the first of them has ended.
 *
 * @param thread - Of this process; the running one where it is left out.
 */
export function ownerTag(thread = threadId): string {
  return `${process.pid}${thread === 0 ? '' : `t${thread}`}-${worldTag()}`;
}

/** Whether the process behind a tag is known to be gone. What cannot be known is not gone, nor is a thread. */
export function isOwnerGone(tag: string): boolean {
  const [owner = '', world = ''] = tag.split('-');
  if (world !== worldTag()) return false;
  try {
    process.kill(Number.parseInt(owner, 10), 0);
    return false;
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH';
  }
}

function worldTag(): string {
  const parts = [
    hostname(),
    textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOf(() => readlinkSync('/proc/self/ns/pid')),
  ];
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);
}

/** Where a system does not tell, the others must do. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
