import type { TestGroup } from '../../verify/audit/evidence.js';

/**
 * Whether figures of such tests may be published: they depend neither on the order of the tickets nor on
 * what tells winning ones from losing ones.
 */
export function isPublicGroup(group: TestGroup): boolean {
  return group === 'symbols' || group === 'duplicates';
}
