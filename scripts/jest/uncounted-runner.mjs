import JestRunner from 'jest-runner';

/** Jest's own runner of tests, which does not count what the tests cover. */
export default class UncountedRunner extends JestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, collectCoverage: false }, context);
  }
}
