import type { KindResult } from './campaign.js';

/** Problems of one kind that are shown; the first ones mostly say it all. */
const MOST_PROBLEMS = 20;

/** A line for a kind of fault, as soon as it is known, and what went wrong. */
export function resultText(result: KindResult): string {
  const { name, what, injected, met, passed, failed, seconds, missing, problems } = result;
  const counts = `${injected} injected, ${met} met the program at work, ${passed} passed, ${failed} failed`;
  const left = problems.length - MOST_PROBLEMS;
  const lines = [
    missing.length === 0
      ? `${name}: ${counts} (${seconds} s): ${what}`
      : `${name}: FAILED, not possible here: ${missing.join('; ')}`,
    ...problems.slice(0, MOST_PROBLEMS).map((problem) => `  ${problem}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** All kinds in a table that also reads well in a page of the documentation. */
export function tableText(results: readonly KindResult[]): string {
  const rows = results.map(({ name, what, injected, met, passed, failed, missing, seconds }) => {
    const cells = [name, what, injected, met, passed, missing.length > 0 ? 'not possible' : failed];
    return [...cells, seconds];
  });
  const head = ['kind', 'what happens', 'injected', 'met', 'passed', 'failed', 'seconds'];
  const lines = [head, head.map((_, index) => (index < 2 ? '---' : '---:')), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
