import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined } from '../core/assert.js';
import { InputError, printable } from '../core/errors.js';
import { findStake } from '../definitions/load-game.js';
import { checkRecipients } from '../formats/age-header.js';
import { blockName } from '../formats/manifest.js';
import { chosenGame } from './chosen-game.js';
import { generateFolder } from './generate-folder.js';
import type { GenerateFlags, GenerateJob } from './generate-job.js';
import { policyOf } from './policy-input.js';
import { readIdentities } from './identity-input.js';
import { findSigningKey } from './key-input.js';
import { findSeed, makeSeedFile, type GivenSeed } from './seed-input.js';
import { streamToStdout } from './stream-to-stdout.js';
import { processTerminal, type Terminal } from './terminal.js';

/** Makes the block that the options of `generate` describe. */
export async function runGenerate(flags: GenerateFlags): Promise<void> {
  const terminal = processTerminal(flags);
  const toStream = flags.out === '-';
  if (toStream) checkStreamFlags(flags);
  else if (flags.manifest !== undefined) {
    throw new InputError('usage', '--manifest goes with --out -; a folder has its own');
  }
  // Before a fresh seed is made: what is wrong with the key must leave nothing behind.
  const signWith = await findSigningKey(flags, terminal.note);
  const job = { ...(await makeJob(flags, terminal)), signWith };
  await (toStream ? streamToStdout(job, terminal) : generateFolder(job, terminal));
}

function checkStreamFlags(flags: GenerateFlags): void {
  if (flags.format.length !== 1) {
    throw new InputError('usage', '--out - writes one format; add --format ndjson or --format csv');
  }
  if (flags.manifest !== undefined && existsSync(flags.manifest)) {
    const message = `${printable(flags.manifest)} is there already; choose another name`;
    throw new InputError('target-exists', message);
  }
  if (flags.manifest !== undefined && !isFolder(dirname(flags.manifest))) {
    const message = `there is no folder ${printable(dirname(flags.manifest))} for the manifest; make it first`;
    throw new InputError('not-found', message);
  }
  for (const [name, isGiven] of [
    ['--threads', flags.threads !== undefined],
    ['--force', flags.force === true],
    ['--commit-tickets', flags.commitTickets === true],
    ['--sign-key', flags.signKey !== undefined],
    ['--passphrase-file', flags.passphraseFile !== undefined],
    ['--identity', flags.identity !== undefined],
    ['--policy', flags.policy !== undefined],
  ] as const) {
    if (!isGiven) continue;
    throw new InputError('usage', `${name} is for a folder, and --out - has none; leave it out`);
  }
  if (flags.json === true) {
    throw new InputError('usage', '--out - fills standard output with tickets; leave --json out');
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Everything that is decided before the work begins; the seed is asked for last. */
async function makeJob(flags: GenerateFlags, terminal: Terminal): Promise<GenerateJob> {
  const { emission, block, engine } = flags;
  const game = chosenGame(flags);
  if (flags.stake === undefined) {
    throw new InputError('usage', 'no stake is given; add --stake <euros>');
  }
  const { stakeCents } = findStake(game, flags.stake);
  const name = blockName({ gameId: game.id, stakeCents, emission, block });
  const request = { game, stakeCents, engine, emission, block };
  if (flags.encryptTo !== undefined) await checkRecipients(flags.encryptTo);
  const identities = await readIdentities(flags.identity, terminal.note);
  const given = await findSeed(flags, process.env, terminal.note);
  const fresh = given === undefined ? await makeFreshSeed(flags, name, terminal) : undefined;
  const seed = defined(given ?? fresh?.seed, 'a seed that was given or made');
  return {
    flags,
    identities,
    request: { ...request, ...partsOf(seed) },
    ...(flags.policy !== undefined && { policy: policyOf(seed, flags.definitionSha256) }),
    ...(fresh !== undefined && { freshSeedPath: fresh.path }),
  };
}

/** What decides the block, and what its commitment says of it. */
function partsOf({
  seed,
  shareCommitments,
}: GivenSeed): Pick<GivenSeed, 'seed' | 'shareCommitments'> {
  return shareCommitments === undefined ? { seed } : { seed, shareCommitments };
}

async function makeFreshSeed(
  { out, force }: GenerateFlags,
  name: string,
  terminal: Terminal,
): ReturnType<typeof makeSeedFile> {
  if (out === '-') {
    const message =
      '--out - has no folder for a fresh seed; give one with --seed-file or in the environment';
    throw new InputError('usage', message);
  }
  const folder = join(out, name);
  if (force !== true && existsSync(folder)) {
    const message = `${printable(folder)} is there already; give its seed with --seed-file to verify it, or use --force to replace it`;
    throw new InputError('target-exists', message);
  }
  const fresh = await makeSeedFile(out, name);
  // With --quiet too: a seed that nobody knows of is a danger, and a lost one a lost block.
  terminal.error(
    `a fresh seed was written to ${printable(fresh.path)}; whoever has it knows every winner`,
  );
  return fresh;
}
