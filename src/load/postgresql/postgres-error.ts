import {
  InputError,
  MachineError,
  machineError,
  printable,
  systemErrorCode,
} from '../../core/errors.js';

/**
 * What to do, by SQLSTATE or by the operating system's code. The server's own words are not shown: they
 * may quote a row, and with it what a ticket has won.
 */
const ADVICE = new Map([
  ['ECONNREFUSED', 'nothing listens there; check host and port, and that the server runs'],
  ['ENOTFOUND', 'there is no such host; check its name'],
  ['EAI_AGAIN', 'the name of the host could not be looked up; check it and the network'],
  ['ETIMEDOUT', 'the server did not answer in time; check host, port and firewall'],
  ['EHOSTUNREACH', 'the host cannot be reached; check it and the network'],
  ['ENETUNREACH', 'the network cannot be reached; check it'],
  ['ECONNRESET', 'the connection was cut; run it again'],
  ['EPIPE', 'the connection was cut; run it again'],
  ['ENOENT', 'there is no such socket; check host and port, and that the server runs'],
  [
    '28P01',
    'user or password is refused; set PGUSER and PGPASSWORD, or a password file (PGPASSFILE)',
  ],
  ['28000', 'the user is refused; set PGUSER, and see what pg_hba.conf allows'],
  ['3D000', 'there is no such database; make it (createdb), or name another'],
  [
    '42501',
    'the user lacks the right; give the role that schemas/postgresql/roles.sql makes for this',
  ],
  ['25006', 'the database is read-only; name the primary server'],
  ['53100', "the server's disk is full; free some space there and run it again"],
  ['53200', "the server's memory is used up; run it again when it has less to do"],
  ['53300', 'the server has too many connections; run it again when it has fewer'],
  ['55P03', 'a lock was not to be had in time; run it again'],
  ['40001', 'another transaction was in the way; run it again'],
  ['40P01', 'another transaction was in the way; run it again'],
  [
    '57014',
    'the server cancelled it, perhaps by its statement_timeout; raise that and run it again',
  ],
  ['57P05', 'the server ends connections that are idle; raise its idle_session_timeout'],
  ['25P03', 'the server ends transactions that are idle; raise its timeout for them'],
  ['57P01', 'the server ended the connection; run it again when it is up'],
  ['57P02', 'the server crashed; run it again when it is up'],
  ['57P03', 'the server is starting or stopping; run it again in a moment'],
  ['58030', "the server's disk reported an error; check it before you try again"],
]);

/** What the driver says of a connection without a code of anybody's. */
const DRIVER_WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /password must be a/,
    'a password is asked for; set PGPASSWORD, or a password file (PGPASSFILE)',
  ],
  [/does not support SSL/, 'the server does not speak TLS; set it up there, or take sslmode out'],
  [/timeout/i, 'the server did not answer in time; check host, port and firewall'],
  [/terminated|not queryable|ended/i, 'the connection was cut; run it again'],
];

/** A commit was sent, and how it ended is not known. */
export class UncertainCommit extends Error {
  override readonly name = 'UncertainCommit';

  constructor(cause: unknown) {
    super('the end of a transaction is not known', { cause });
  }
}

/**
 * Turns what the driver throws into a {@link MachineError} of one line; errors of our own come back as
 * they are.
 *
 * @param action - What was being done, such as `load into`.
 * @param label - What the database is called.
 */
export function postgresError(action: string, label: string, error: unknown): Error {
  if (error instanceof InputError || error instanceof MachineError) return error;
  if (error instanceof UncertainCommit) return uncertain(label, error);
  const code = systemErrorCode(error) ?? '';
  const message = error instanceof Error ? error.message : '';
  const advice = ADVICE.get(code) ?? DRIVER_WORDS.find(([words]) => words.test(message))?.[1];
  const where = `cannot ${action} ${label}`;
  if (advice !== undefined) return new MachineError(`${where}: ${advice}`, { code, cause: error });
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')) {
    const words = `PostgreSQL said SQLSTATE ${code}; its log says more`;
    return new MachineError(`${where}: ${words}`, { code, cause: error });
  }
  if (/^(?:ERR_TLS|CERT|DEPTH|SELF_SIGNED|UNABLE_TO|HOSTNAME)/.test(code)) {
    const words = `its certificate is refused (${code}); check sslmode and sslrootcert`;
    return new MachineError(`${where}: ${words}`, { code, cause: error });
  }
  return machineError(action, printable(label), error);
}

/** A constraint that is checked at the end refuses for certain; a cut says nothing. */
function uncertain(label: string, { cause }: UncertainCommit): Error {
  const code = systemErrorCode(cause) ?? '';
  const isRefusal = /^(?:2|4)[0-9A-Z]{4}$/.test(code);
  if (isRefusal) return postgresError('commit to', label, cause);
  const message = `cannot commit to ${label}: the connection was cut at that moment, so it may be done or not; run it again, and it says which`;
  return new MachineError(message, { code, cause });
}
