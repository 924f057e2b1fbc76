/**
 * The name under which the manifest states an outcome's feature.
 *
 * @group Verifying
 */
export type FeatureName = 'extra_stages' | 'chosen';

/** What a feature counts, in words. */
interface FeatureWords {
  /** One of it, as in `1 EXTRA stage`. */
  readonly one: string;
  /** Several, as in `2 EXTRA stages`; the title of its column, too. */
  readonly many: string;
  /** In the names of tests, as in `with 2 EXTRA`. */
  readonly short: string;
}

/**
 * The features that mechanics have, under the names by which a manifest states them; and what messages and
 * reports in English call them.
 */
export const FEATURES: Readonly<Record<FeatureName, FeatureWords>> = {
  extra_stages: { one: 'EXTRA stage', many: 'EXTRA stages', short: 'EXTRA' },
  chosen: { one: 'chosen symbol', many: 'chosen symbols', short: 'chosen' },
};

/** The value of a feature in words, such as `2 EXTRA stages`. */
export function featureWords(name: FeatureName, value: number): string {
  const { one, many } = FEATURES[name];
  return `${value} ${value === 1 ? one : many}`;
}
