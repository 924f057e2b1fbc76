import type { ProductionPolicy } from '../block/production-policy.js';
import type { GivenSeed } from './seed-input.js';

/**
 * What a policy is told of what only the command line knows.
 *
 * @param approvedDefinition - The hash of the definition that was approved, where one is stated.
 */
export function policyOf(
  { from, mostBits }: GivenSeed,
  approvedDefinition?: string,
): ProductionPolicy {
  return {
    isSeedExposed: from === 'command line',
    seedBits: mostBits,
    approvedDefinitions: approvedDefinition === undefined ? [] : [approvedDefinition],
  };
}
