import { join } from 'node:path';

/**
 * A batch with every step that there is and as few of each as there can be, for kinds that need hundreds
 * of runs, and for the small campaign.
 *
 * @param root - The project's folder.
 */
export function tinyJobs(root: string): object {
  const definition = (name: string): string => join(root, `fixtures/definitions/${name}.json`);
  const common = { stake_cents: 100, blocks: { first: 1, last: 1 } };
  return {
    format: 'gen-block-jobs/1',
    emission: 1,
    jobs: [
      { definition: definition('rows-plain'), ...common },
      {
        ...{ definition: definition('collect-bare'), ...common },
        ...{ formats: ['csv'], compression: 'gzip', out: 'deep/deeper' },
      },
    ],
  };
}
