import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemErrorCode } from '../core/errors.js';

/**
 * Says which process a temporary folder belongs to: its process number and a hash of the world in
 * which that number means something (host, boot, process namespace).
 */
export function ownerTag(): string {
  return `${process.pid}-${worldTag()}`;
}

/** Whether the process behind a tag is known to be gone. What cannot be known is not gone. */
export function isOwnerGone(tag: string): boolean {
  const [pid = '', world = ''] = tag.split('-');
  if (world !== worldTag()) return false;
  try {
    process.kill(Number(pid), 0);
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
