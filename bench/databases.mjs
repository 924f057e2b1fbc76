/*
 * What loading and selling cost beside what the databases' own tools do: `npm run bench:databases`. It needs
 * PostgreSQL (initdb, psql, pgbench) and sqlite3. Each round takes every measure once, one after the other.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { genBlock, projectFile, STAKE } from './commands.mjs';
import { findTools, measure } from './machine.mjs';
import { median } from './ratios.mjs';
import { markdownTable } from './tables.mjs';

const { values: options } = parseArgs({
  options: {
    game: { type: 'string', default: 'eldorado' },
    runs: { type: 'string', default: '3' },
    /** Of each run of pgbench. */
    seconds: { type: 'string', default: '10' },
  },
});

const SELLERS = '8';

/** The tests' own way to start a server. */
async function importServer() {
  // Beside the packages that it imports.
  const outfile = projectFile('bench/results/postgres-server.mjs');
  await build({
    entryPoints: [projectFile('src/testing/postgres-server.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    absWorkingDir: projectFile('.'),
  });
  return import(pathToFileURL(outfile).href);
}

function psql(url, ...words) {
  const { status, stderr } = spawnSync(
    'psql',
    ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url, ...words],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`psql failed:\n${stderr}`);
}

/** Sales a second with so many sellers at once. */
function pgbench(url, script, length = ['-T', options.seconds]) {
  const words = ['-n', '-c', SELLERS, '-j', '2', '-M', 'prepared', ...length];
  const file = projectFile(`bench/databases/${script}.sql`);
  const out = execFileSync('pgbench', [...words, '-f', file, url], { encoding: 'utf8' });
  return Number(/^tps = ([\d.]+)/m.exec(out)?.[1]);
}

/** The same columns, keys, indexes and trigger as the schema's; `.import` cannot leave a column empty. */
const SQLITE_YARDSTICK = `
  pragma journal_mode = wal;
  create table states (block_id integer primary key, state text);
  insert into states values (1, 'loaded');
  create table tickets (
    number integer not null check (number > 0), prize_cents integer not null check (prize_cents >= 0),
    combination text not null, grids text not null, primary key (number)) strict, without rowid;
  create index tickets_unsold on tickets (number) where prize_cents >= 0;
  create trigger tickets_come before insert on tickets
  when (select state from states where block_id = 1) <> 'loaded'
  begin select raise(abort, 'no'); end;
  pragma synchronous = full;`;

const folder = mkdtempSync(join(tmpdir(), 'gen-block-databases-'));
const tools = findTools(folder);
const { startPostgres } = await importServer();
const server = await startPostgres({ durable: true });
try {
  const out = join(folder, 'out');
  const make = ['--game', options.game, '--stake', STAKE.euros, '--seed', 'bench', '--out', out];
  const [node, ...program] = genBlock(...make, '--quiet');
  execFileSync(node, program, { stdio: 'ignore' });
  const block = join(out, `${options.game}-${STAKE.cents}-e1-b1`);
  const csv = join(block, 'tickets.csv');

  const measures = new Map();
  const note = (name, value) => {
    measures.set(name, [...(measures.get(name) ?? []), value]);
    process.stderr.write(`${name}: ${value.toFixed(2)}\n`);
  };
  const timed = async (name, words) => {
    const { wallSeconds, cpuSeconds, peakBytes } = await measure({ ...tools, words });
    note(`${name}, wall`, wallSeconds);
    note(`${name}, CPU`, cpuSeconds);
    note(`${name}, MB`, peakBytes / 1e6);
  };

  for (let run = 0; run < Number(options.runs); run += 1) {
    // PostgreSQL: our load, and a bare COPY into the same table with its indexes and constraints.
    const url = await server.newDatabase();
    const load = genBlock('load', block, '--quiet', '--on-sale', '--to', url);
    await timed('load into PostgreSQL, hash trusted', [...load, '--trust-hash']);
    const other = await server.newDatabase();
    await timed(
      'load into PostgreSQL, verified',
      genBlock('load', block, '--quiet', '--to', other),
    );
    psql(
      other,
      '-c',
      'create table gen_block.tickets_2 partition of gen_block.tickets for values in (2)',
    );
    psql(other, '-c', 'alter table gen_block.tickets_2 alter block_id set default 2');
    const copy = `\\copy gen_block.tickets_2 (number, prize_cents, combination, grids) from '${csv}' with (format csv, header, force_not_null (combination))`;
    await timed('psql COPY', ['psql', '-X', '-q', other, '-c', copy]);
    await timed(
      'verify in PostgreSQL',
      genBlock('verify', `${options.game}-${STAKE.cents}-e1-b1`, '--quiet', '--from', url),
    );

    // SQLite.
    const file = join(folder, `${run}.db`);
    const sqlite = genBlock('load', block, '--quiet', '--on-sale', '--to', `sqlite:${file}`);
    await timed('load into SQLite, hash trusted', [...sqlite, '--trust-hash']);
    const bare = join(folder, `${run}-bare.db`);
    const words = ['sqlite3', bare, SQLITE_YARDSTICK, `.import --csv --skip 1 ${csv} tickets`];
    await timed('sqlite3 .import', words);
    await timed(
      'verify in SQLite',
      genBlock(
        'verify',
        `${options.game}-${STAKE.cents}-e1-b1`,
        '--quiet',
        '--from',
        `sqlite:${file}`,
      ),
    );

    if (options.game !== 'eldorado') continue;
    note('plain sales a second, fresh block', pgbench(url, 'compare'));
    note('sales a second, fresh block', pgbench(url, 'draw'));
    // What has been sold stays in the index until the next vacuum: a plain statement goes through all of it.
    pgbench(url, 'draw', ['-t', '8000']);
    note('plain sales a second', pgbench(url, 'compare'));
    note('sales a second', pgbench(url, 'draw'));
    note('sales and readings a second', pgbench(url, 'sell'));
  }

  const rows = [...measures].map(([name, values]) => [
    name,
    median(values).toFixed(2),
    `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`,
  ]);
  process.stdout.write(markdownTable(['what', 'median', 'range'], rows));
  const ratio = (of, by) =>
    measures.has(of)
      ? [[`${of} / ${by}`, (median(measures.get(of)) / median(measures.get(by))).toFixed(2)]]
      : [];
  process.stdout.write('\n');
  process.stdout.write(
    markdownTable(
      ['ratio', 'value'],
      [
        ...ratio('psql COPY, wall', 'load into PostgreSQL, hash trusted, wall'),
        ...ratio('sqlite3 .import, wall', 'load into SQLite, hash trusted, wall'),
        ...ratio('sales a second, fresh block', 'plain sales a second, fresh block'),
        ...ratio('sales a second', 'plain sales a second'),
      ],
    ),
  );
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
