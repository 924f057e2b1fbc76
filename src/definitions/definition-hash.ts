import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { defined } from '../core/assert.js';

/**
 * The identity of a definition: SHA-256 of its RFC 8785 form, in lower-case hex. Line ends, spaces
 * and the order of keys in its file do not matter.
 *
 * @param definition - A JSON value without half characters, as strict parsing leaves it.
 */
export function hashDefinition(definition: unknown): string {
  const text = defined(canonicalize(definition), 'the canonical form of a definition');
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
