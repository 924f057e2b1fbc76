import { saltKeyFrom } from '../block/verify-from-seed.js';
import { InputError, printable } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { TicketProver, type ProveOptions } from '../verify/prove-tickets.js';
import { checkTarget } from './check-target.js';
import { readIdentities } from './identity-input.js';
import { findSaltKey } from './salt-key-input.js';
import { findSeed } from './seed-input.js';
import { abortOnSignals } from './signals.js';
import { processTerminal, type Terminal } from './terminal.js';
import { writeToStdout } from './write-to-stdout.js';
import { writeWholeFile } from './write-whole-file.js';

/** The options of `prove`. */
export interface ProveFlags {
  readonly ticket?: readonly number[];
  readonly all?: boolean;
  readonly saltKey?: string;
  readonly seed?: string;
  readonly seedFile?: readonly string[];
  readonly definition?: string;
  readonly identity?: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
}

/** Proves tickets of a block, one line of JSON each. */
export async function runProve(path: string, flags: ProveFlags): Promise<void> {
  const terminal = processTerminal({});
  const { ticket: tickets, all = false, out, force = false, definition } = flags;
  if ((tickets === undefined) !== all) {
    const message = all
      ? '--ticket and --all are both given; choose one'
      : 'no ticket is named; add --ticket <number>, or --all';
    throw new InputError('usage', message);
  }
  if (out === undefined && force) {
    throw new InputError('usage', '--force is for --out <file>; leave it out');
  }
  if (out !== undefined) await checkTarget(path, out, { force });
  const identities = await readIdentities(flags.identity, terminal.note);
  const saltKeyOf = await chosenKey(flags, terminal);
  const game = definition === undefined ? undefined : loadDefinitionFile(definition);
  const signals = abortOnSignals('the tickets were not all proved');
  try {
    const { signal } = signals;
    const prover = await TicketProver.open(path, { game, identities, saltKeyOf, signal });
    if (out === undefined) {
      const write = async (lines: string): Promise<void> =>
        writeToStdout(lines, 'not all proofs were read');
      await prover.prove(tickets, write, { signal });
      return;
    }
    await writeWholeFile(out, { force }, async (write) => {
      await prover.prove(tickets, async (lines) => write(Buffer.from(lines)), { signal });
    });
    const count = tickets === undefined ? prover.tickets : new Set(tickets).size;
    const proofs = count === 1 ? '1 proof' : `${formatCount(count)} proofs`;
    terminal.note(`${printable(out)}: ${proofs}; each shows its ticket`);
  } finally {
    signals.stop();
  }
}

async function chosenKey(
  flags: ProveFlags,
  terminal: Terminal,
): Promise<ProveOptions['saltKeyOf']> {
  if (flags.saltKey !== undefined && (flags.seed ?? flags.seedFile) !== undefined) {
    throw new InputError('usage', '--salt-key and the seed are both given; choose one');
  }
  const saltKeyOf = await findSaltKey(flags.saltKey, terminal.note);
  if (saltKeyOf !== undefined) return saltKeyOf;
  const given = await findSeed(flags, process.env, terminal.note);
  if (given !== undefined) return saltKeyFrom(given.seed);
  const message = 'no key is given; add --salt-key <file>, or --seed-file <file>';
  throw new InputError('usage', message);
}
