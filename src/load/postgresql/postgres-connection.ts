import type { Client } from 'pg';
import { InputError, printable, systemErrorCode } from '../../core/errors.js';
import { loadOptional } from '../../core/optional-package.js';
import { postgresError } from './postgres-error.js';

/** How long to wait for a server to answer. */
const CONNECT_MILLISECONDS = 30_000;

/** What PostgreSQL needs of an installation. */
export const POSTGRES_PART = { what: 'PostgreSQL', packages: ['pg', 'pg-copy-streams'] };

/** A connection to a server. */
export interface PostgresConnection {
  readonly client: Client;
  /** `postgres://host:port/database`, without user or password. */
  readonly label: string;
  /** Whether others on the way can read what is sent. */
  readonly isExposed: boolean;
  /** From then on, whether what was done stays is the server's to say: a signal comes too late. */
  isCommitting: boolean;
}

/**
 * Connects to a PostgreSQL server. Whatever the URL leaves out comes from the PG… variables, and the
 * password from PGPASSFILE or `~/.pgpass`, too.
 *
 * @throws InputError `usage` where the URL or the variables cannot be used; MachineError.
 */
export async function connectPostgres(url: string): Promise<PostgresConnection> {
  const { default: pg } = await loadOptional(POSTGRES_PART, async () => import('pg'));
  const client = newClient(pg.Client, usableUrl(url));
  // An error that comes while nothing is asked shows again at the next question.
  client.on('error', () => undefined);
  const label = printable(labelOf(client));
  try {
    await client.connect();
    await client.query(STAY_PATIENT);
  } catch (error) {
    throw postgresError('connect to', label, error);
  }
  const isExposed = !client.ssl && !isLocal(client.host);
  return { client, label, isExposed, isCommitting: false };
}

/** While a block is read and verified nothing is asked, for as long as that takes. */
const STAY_PATIENT = `
  select set_config(name, '0', false) from pg_settings
    where name in ('idle_session_timeout', 'idle_in_transaction_session_timeout')`;

const FORM =
  'write postgres://user@host:port/database, with %40 for @ and %2F for / in a name or password, or postgres:// and set PGHOST, PGUSER, PGDATABASE';

const TLS_MODES: ReadonlyMap<string, string> = new Map([
  ['disable', 'disable'],
  // The driver takes each of these for the last, and warns of it in many lines.
  ['prefer', 'verify-full'],
  ['require', 'verify-full'],
  ['verify-ca', 'verify-full'],
  ['verify-full', 'verify-full'],
  ['no-verify', 'no-verify'],
]);

/** The URL as the driver can use it; `undefined` where everything comes from the environment. */
function usableUrl(text: string): string | undefined {
  // The driver cannot read a URL that leaves everything to the environment.
  if (/^postgres(?:ql)?:\/*$/.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Else a password with a slash would be taken for the name of a database, and shown.
  if (url === undefined || `${url.host}${url.pathname}`.includes('@')) throw unreadable();
  const mode = url.searchParams.get('sslmode');
  if (mode === null) return text;
  const known = TLS_MODES.get(mode);
  if (known === undefined) {
    const message = `there is no sslmode ${printable(mode, 40)}; write verify-full, no-verify or disable`;
    throw new InputError('usage', message);
  }
  url.searchParams.set('sslmode', known);
  return url.href;
}

function newClient(ClientClass: typeof Client, url: string | undefined): Client {
  let client: Client;
  try {
    client = new ClientClass({
      ...(url !== undefined && { connectionString: url }),
      application_name: 'gen-block',
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      keepAlive: true,
    });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      const message = 'a file of sslrootcert, sslcert or sslkey is not there; check the paths';
      throw new InputError('not-found', message, { cause: error });
    }
    throw unreadable();
  }
  if (client.port > 0 && client.port < 65_536) return client;
  throw new InputError('usage', 'the port of the database is no number; check PGPORT');
}

/** What the driver says of a URL repeats it, and a password that is in it. */
function unreadable(): InputError {
  return new InputError('usage', `the database URL cannot be read; ${FORM}`);
}

function labelOf({ host, port, database = '' }: Client): string {
  return host.startsWith('/')
    ? `postgres:///${database}?host=${host}`
    : `postgres://${host}:${port}/${database}`;
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(host);
}
