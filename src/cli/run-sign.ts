import { signBlock } from '../block/sign-block.js';
import { printable } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { ROOT_NOT_CHECKED } from '../verify/commitment-findings.js';
import { readIdentities } from './identity-input.js';
import { runJob } from './job.js';
import { readSigningKey } from './key-input.js';
import { readingProgress } from './reading-progress.js';
import { findSaltKey } from './salt-key-input.js';
import { processTerminal } from './terminal.js';

/** The options of `sign`. */
export interface SignFlags {
  readonly key: string;
  readonly passphraseFile?: string;
  readonly definition?: string;
  readonly identity?: readonly string[];
  readonly saltKey?: string;
  readonly threads?: number;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** Verifies a block and signs it. */
export async function runSign(path: string, flags: SignFlags): Promise<void> {
  const terminal = processTerminal(flags);
  const { definition, threads, force, saltKey } = flags;
  const game = definition === undefined ? undefined : loadDefinitionFile(definition);
  const key = await readSigningKey(flags, terminal.note);
  const identities = await readIdentities(flags.identity, terminal.note);
  const saltKeyOf = await findSaltKey(saltKey, terminal.note);
  const done = await runJob(
    terminal,
    { reportTo: 'stderr', ifStopped: 'the block was not signed' },
    async ({ onProgress, signal }) => {
      const onBytes = readingProgress({ show: onProgress }, [path]);
      const evidence = { game, identities, saltKeyOf };
      return signBlock(path, key, { ...evidence, threads, force, onBytes, signal });
    },
  );
  if (done === undefined) return;
  // A signature says that its signer answers for it: what he has not seen, he is told.
  if (done.result.report.notChecked.includes(ROOT_NOT_CHECKED)) {
    terminal.note(`${ROOT_NOT_CHECKED}; give it with --salt-key`);
  }
  for (const { name, outcome } of done.result.signatures) {
    const what = outcome === 'kept' ? 'was there already' : `was ${outcome}`;
    terminal.note(`${printable(done.result.folder)}: verified; ${name} ${what}`);
  }
}
