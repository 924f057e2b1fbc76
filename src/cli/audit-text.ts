import { formatCount, formatEuros } from '../core/money.js';
import { printable } from '../core/errors.js';
import type {
  Alarm,
  AuditedBlock,
  AuditReport,
  PooledBlocks,
} from '../verify/audit/audit-report.js';
import type { TestResult } from '../verify/audit/judge.js';
import { reportText } from './report-text.js';

/** Alarms that are listed for people; the JSON report has all. */
const MOST_ALARMS = 20;

/** The report of an audit for people to read. */
export function auditText(report: AuditReport): string {
  const sections = [
    ...report.blocks.map(blockText),
    ...report.pooled.map(pooledText),
    familyText(report),
    verdictText(report),
    checksText(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function blockText({ path, verification, tests }: AuditedBlock): string {
  const { facts, conforms } = verification;
  if (!conforms || facts === undefined)
    return `${printable(path)}\n${reportText(verification)}`.trimEnd();
  const { gameId, stakeCents, emission = 0, block = 0 } = facts;
  const name = `${gameId}, stake ${formatEuros(stakeCents)} EUR, emission ${emission}, block ${block}`;
  return `${name}: conforms.\n${groupsText(tests)}`;
}

function pooledText({ gameId, stakeCents, paths, tests }: PooledBlocks): string {
  const name = `${gameId}, stake ${formatEuros(stakeCents)} EUR`;
  return `${name}, ${formatCount(paths.length)} blocks together.\n${groupsText(tests)}`;
}

/** For each group of tests: how many, and the one that comes nearest to an alarm. */
function groupsText(tests: readonly TestResult[]): string {
  const groups = [...new Set(tests.map(({ group }) => group))];
  return groups
    .map((group) => {
      const own = tests.filter((test) => test.group === group);
      const least = own.reduce((best, test) => (test.pValue < best.pValue ? test : best));
      const count = `${formatCount(own.length)} tests`;
      return `  ${group.padEnd(14)} ${count.padStart(9)}, smallest p ${formatP(least.pValue)}: ${least.name}`;
    })
    .join('\n');
}

/** The error rate, and what must not be mistaken for it. */
function familyText({ alpha, testCount, threshold, levels }: AuditReport): string {
  if (testCount === 0) return '';
  const counts = levels.map(
    ({ level, expected, found }) =>
      `${formatCount(found)} of at most ${level * 100} % where ${expected.toFixed(1)} are expected`,
  );
  return [
    `Right blocks raise an alarm with a chance of at most ${formatAlpha(alpha)}, over all ${formatCount(testCount)} tests:`,
    `the smallest p-value alarms below ${formatP(threshold)} (Holm's procedure for further ones).`,
    `P-values by the levels that regulations name, which decide nothing: ${counts.join(', ')}.`,
  ].join('\n');
}

function verdictText({ alarms, blocks, testCount }: AuditReport): string {
  const wrong = blocks.filter(({ verification }) => !verification.conforms).length;
  const lines = alarms.slice(0, MOST_ALARMS).map(alarmText);
  const more = alarms.length - lines.length;
  return [
    ...(wrong > 0 ? [`${countOf(wrong, 'block')} not conforming.`] : []),
    ...(testCount > 0 && alarms.length === 0 ? ['No alarm.'] : []),
    ...(alarms.length > 0 ? [`Alarm: ${countOf(alarms.length, 'test')}.`, ...lines] : []),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
  ].join('\n');
}

function alarmText({ path, pValue, adjustedP, group, name, note }: Alarm): string {
  const where = path === null ? 'together' : printable(path);
  return `  p ${formatP(pValue)}, adjusted ${formatP(adjustedP)}: ${where}: ${group}: ${name} (${note})`;
}

function checksText({ checked, notChecked }: AuditReport): string {
  return [
    ...checked.map((item) => `Checked: ${item}.`),
    ...notChecked.map((item) => `Not checked: ${printable(item, 400)}.`),
  ].join('\n');
}

function countOf(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** As it was written: 0.05, 1e-6. */
function formatAlpha(alpha: number): string {
  return alpha >= 0.001 ? String(alpha) : alpha.toExponential();
}

function formatP(pValue: number): string {
  return pValue >= 0.001 ? pValue.toFixed(3) : pValue.toExponential(1);
}
