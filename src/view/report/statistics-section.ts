import { formatCount } from '../../core/money.js';
import type { TestResult } from '../../verify/audit/judge.js';
import { html, type Html } from './html.js';
import { pValuesPlot } from './plots.js';
import { isPublicGroup } from './public-group.js';
import type { ReportData } from './report-data.js';
import { table } from './table.js';

/** Tests that are listed one by one. */
const MOST_LISTED = 10;

/** All tests, and the false-alarm rate that was stated beforehand. */
export function statisticsSection({ audit }: ReportData, isPublic: boolean): Html | undefined {
  const tests = audit.blocks.flatMap((block) => block.tests);
  if (tests.length === 0) return undefined;
  const shown = isPublic ? tests.filter(({ group }) => isPublicGroup(group)) : tests;
  const continuous = shown.filter(({ isDiscrete }) => !isDiscrete).map(({ pValue }) => pValue);
  const groups = [...new Set(tests.map(({ group }) => group))];
  const { alpha, threshold, alarms, testCount } = audit;
  return html`<section>
    <h2>Statistics</h2>
    <p>
      ${formatCount(testCount)} tests. A right block raises any alarm with a chance of at most
      ${formatSmall(alpha)}, over all tests together: the smallest p-value alarms below
      ${formatSmall(threshold)} (Holm's procedure for further ones).
      ${alarms.length === 0 ? 'No test alarms.' : `${formatCount(alarms.length)} ${alarms.length === 1 ? 'test alarms' : 'tests alarm'}.`}
    </p>
    ${table({
      caption: 'Tests by what they look at',
      columns: [{ title: 'group', isText: true }, { title: 'tests' }, { title: 'alarms' }],
      rows: groups.map((group) => [
        group,
        formatCount(tests.filter((test) => test.group === group).length),
        formatCount(alarms.filter((alarm) => alarm.group === group).length),
      ]),
    })}
    ${pValuesPlot(continuous)} ${testsTable(shown, isPublic)}
    ${
      isPublic
        ? html`<p>
            Tests of order and pick-out are counted above and not shown: their figures would tell
            where single prizes are.
          </p>`
        : undefined
    }
  </section>`;
}

function testsTable(tests: readonly TestResult[], isPublic: boolean): Html {
  const least = tests.toSorted((a, b) => a.pValue - b.pValue).slice(0, MOST_LISTED);
  return table({
    caption: `The ${formatCount(least.length)} smallest p-values${isPublic ? ' of those' : ''}`,
    columns: [
      { title: 'p-value' },
      { title: 'group', isText: true },
      { title: 'test', isText: true },
      { title: 'observed', isText: true },
    ],
    rows: least.map(({ pValue, group, name, note }) => [formatSmall(pValue), group, name, note]),
  });
}

function formatSmall(value: number): string {
  return value >= 0.001 ? value.toFixed(3) : value.toExponential(1).replace('.0e', 'e');
}
