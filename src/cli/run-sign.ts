import { signBlock } from '../block/sign-block.js';
import { printable } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { runJob } from './job.js';
import { readSigningKey } from './key-input.js';
import { readingProgress } from './reading-progress.js';
import { processTerminal } from './terminal.js';

/** The options of `sign`. */
export interface SignFlags {
  readonly key: string;
  readonly passphraseFile?: string;
  readonly definition?: string;
  readonly threads?: number;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** Verifies a block and signs it. */
export async function runSign(path: string, flags: SignFlags): Promise<void> {
  const terminal = processTerminal(flags);
  const { definition, threads, force } = flags;
  const game = definition === undefined ? undefined : loadDefinitionFile(definition);
  const key = await readSigningKey(flags, terminal.note);
  const done = await runJob(
    terminal,
    { reportTo: 'stderr', ifStopped: 'the block was not signed' },
    async ({ onProgress, signal }) => {
      const onBytes = readingProgress({ show: onProgress }, [path]);
      return signBlock(path, key, { game, threads, force, onBytes, signal });
    },
  );
  if (done === undefined) return;
  for (const { name, outcome } of done.result.signatures) {
    const what = outcome === 'kept' ? 'was there already' : `was ${outcome}`;
    terminal.note(`${printable(done.result.folder)}: verified; ${name} ${what}`);
  }
}
