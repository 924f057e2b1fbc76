import type { TestGroup } from '../../verify/audit/evidence.js';

/**
 * Whether figures of such tests may be published: they do not depend on the order of the tickets, and
 * tell of winning ones no more than sums over all of them.
 */
export function isPublicGroup(group: TestGroup): boolean {
  return group === 'symbols' || group === 'duplicates';
}
