import { reportFailure, run } from './run.js';

// Node would end with 1, which says that a block does not conform.
process.on('uncaughtException', (error) => {
  // eslint-disable-next-line no-restricted-properties -- in an unknown state nothing more may run
  process.exit(reportFailure(error));
});

await run(process.argv.slice(2));
