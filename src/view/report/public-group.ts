import type { TestGroup } from '../../verify/audit/evidence.js';

/**
 * Whether figures of such tests may be published: they do not depend on the order of the tickets, and
 * look for nothing that tells winning ones from losing ones.
 */
export function isPublicGroup(group: TestGroup): boolean {
  return group === 'symbols' || group === 'duplicates';
}
