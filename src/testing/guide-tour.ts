import { spawnSync } from 'node:child_process';

/** A command of a page, and the lines that the page shows under it. */
export interface GuideStep {
  readonly command: string;
  readonly shown: readonly string[];
}

/** What a line of a page stands for when it says `...`: any lines, or none. */
const ANYTHING = '...';

const PROMPT = '$ ';

/** Everything between two steps of one shell; no page prints it. */
const SEPARATOR = '\u0001 end of step';

/**
 * The commands of a page in the order of their fences (`sh`): each begins with `$ ` and goes on after a
 * backslash at the end of a line, and after `<<'END'` up to the line `END`.
 */
export function guideSteps(page: string): readonly GuideStep[] {
  const steps: { command: string; shown: string[] }[] = [];
  for (const [, fence = ''] of page.matchAll(/^```sh\n(.*?)\n```$/gms)) {
    for (const line of fence.split('\n')) {
      const step = steps.at(-1);
      if (step !== undefined && isOpen(step.command)) step.command += `\n${line}`;
      else if (line.startsWith(PROMPT))
        steps.push({ command: line.slice(PROMPT.length), shown: [] });
      else step?.shown.push(line);
    }
  }
  return steps;
}

function isOpen(command: string): boolean {
  const isDocument = command.includes("<<'END'") && !command.endsWith('\nEND');
  return isDocument || command.endsWith('\\');
}

/**
 * Runs the commands of a page one after the other in one shell, as a reader would.
 *
 * @param place - The folder to start in, and the environment.
 * @returns What each command printed, on both outputs, line by line.
 */
export function runSteps(
  steps: readonly GuideStep[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): readonly (readonly string[])[] {
  const script = steps.map(({ command }) => `${command}\nprintf '%s\\n' '${SEPARATOR}'\n`).join('');
  const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], {
    ...place,
    encoding: 'utf8',
  });
  return stdout
    .split(`${SEPARATOR}\n`)
    .slice(0, -1)
    .map((text) => text.replace(/\n$/, '').split('\n'))
    .map((lines) => (lines.join('') === '' ? [] : lines));
}

/** Lines without what differs from run to run: how long something took. */
export function withoutTimes(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line.replace(/\b\d+(\.\d+)?(?= s$| s in all\.$)/, 'N').replace(/(\bmade\b.* )\d+\.\d$/, '$1N'),
  );
}

/** Whether a page shows what was printed; a line `...` stands for any lines. */
export function isShown(printed: readonly string[], shown: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return printed.length === 0;
  if (first !== ANYTHING) return printed[0] === first && isShown(printed.slice(1), rest);
  return Array.from({ length: printed.length + 1 }, (_, index) => index).some((skipped) =>
    isShown(printed.slice(skipped), rest),
  );
}
