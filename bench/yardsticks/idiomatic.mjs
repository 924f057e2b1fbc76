/*
 * The default job as idiomatic Node.js code does it: an object for each ticket, JSON.stringify and
 * fast-csv to write, readline, JSON.parse, ajv and fast-csv to read back. Its blocks conform, but their
 * bytes are not those of gen-block. A yardstick of the benchmark, and written as good code for
 * everyday use would be: plain, streamed, and without tricks.
 *
 * Usage: node idiomatic.mjs definition.json stake-cents output-folder
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { URL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format, parse } from 'fast-csv';
import { CollectGame, RowsGame, shuffle } from './idiomatic-games.mjs';

const TICKET_SCHEMA = new URL('../../schemas/ticket.schema.json', import.meta.url);
const CSV_COLUMNS = ['ticket', 'prize_cents', 'combination', 'grids'];

/** All tickets of a block in a random order, one after the other. */
function* tickets(rules, outcomes) {
  const order = outcomes.flatMap((outcome) => new Array(outcome.count).fill(outcome));
  shuffle(order);
  for (const [index, outcome] of order.entries()) {
    const { prize_cents, combination } = outcome;
    yield { ticket: index + 1, prize_cents, combination, grids: rules.drawGrids(outcome) };
  }
}

/** Sends a stream to a new file. The result tells when it is there, and its hash. */
async function writeStream(stream, path) {
  const hash = createHash('sha256');
  stream.on('data', (piece) => hash.update(piece));
  const file = stream.pipe(createWriteStream(path, { flags: 'wx' }));
  await finished(file);
  return hash.digest('hex');
}

/** Writes both files, and returns their hashes. */
async function writeFiles(rules, outcomes, { ndjson, csv }) {
  const lines = new PassThrough();
  // No field needs quotes, but fast-csv would put them around every text with a `|`.
  const rows = format({ headers: CSV_COLUMNS, includeEndRowDelimiter: true, quote: false });
  const written = Promise.all([writeStream(lines, ndjson), writeStream(rows, csv)]);
  for (const ticket of tickets(rules, outcomes)) {
    const hasRoom = lines.write(`${JSON.stringify(ticket)}\n`);
    const gridsText = ticket.grids.map((grid) => grid.join('/')).join('|');
    const rowHasRoom = rows.write({ ...ticket, grids: gridsText });
    if (!hasRoom) await once(lines, 'drain');
    if (!rowHasRoom) await once(rows, 'drain');
  }
  lines.end();
  rows.end();
  return written;
}

/** Judges tickets one after the other, and counts each kind. */
class Judge {
  #counts = new Map();
  #expectedTicket = 1;

  constructor(rules) {
    this.rules = rules;
  }

  take({ ticket, prize_cents, combination, grids }) {
    const found = this.rules.evaluate(grids);
    const isRight =
      ticket === this.#expectedTicket &&
      prize_cents === found.prize_cents &&
      combination === found.combination;
    if (!isRight) throw new Error(`ticket ${ticket} is not what its symbols say`);
    this.#expectedTicket += 1;
    const key = kindOf(found);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  finish(outcomes) {
    for (const outcome of outcomes) {
      const found = this.#counts.get(kindOf(outcome)) ?? 0;
      if (found !== outcome.count) throw new Error(`${kindOf(outcome)}: ${found} tickets`);
    }
  }
}

function kindOf({ prize_cents, combination, feature }) {
  return `${prize_cents}|${combination}|${feature}`;
}

/** A file's stream, and the hash of all that has been read from it. */
function readHashed(path) {
  const hash = createHash('sha256');
  const stream = createReadStream(path);
  stream.on('data', (piece) => hash.update(piece));
  return { stream, hash };
}

async function verifyNdjson(path, rules, outcomes) {
  const ajv = new Ajv2020();
  const validate = ajv.compile(JSON.parse(readFileSync(TICKET_SCHEMA, 'utf8')));
  const judge = new Judge(rules);
  const { stream, hash } = readHashed(path);
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    const ticket = JSON.parse(line);
    if (!validate(ticket)) throw new Error(`${line}: ${ajv.errorsText(validate.errors)}`);
    judge.take(ticket);
  }
  judge.finish(outcomes);
  return hash.digest('hex');
}

async function verifyCsv(path, rules, outcomes) {
  const judge = new Judge(rules);
  const { stream, hash } = readHashed(path);
  const rows = stream.pipe(parse({ headers: true }));
  rows.on('data', ({ ticket, prize_cents, combination, grids }) => {
    judge.take({
      ticket: Number(ticket),
      prize_cents: Number(prize_cents),
      combination,
      grids: grids.split('|').map((grid) => grid.split('/')),
    });
  });
  await once(rows, 'end');
  judge.finish(outcomes);
  return hash.digest('hex');
}

async function main([definition, stakeCents, folder]) {
  const game = JSON.parse(readFileSync(definition, 'utf8'));
  const stake = game.stakes.find(({ stake_cents }) => stake_cents === Number(stakeCents));
  const rules = game.mechanic === 'rows' ? new RowsGame(game, stake) : new CollectGame(game, stake);
  const outcomes = rules.outcomes();
  await mkdir(folder, { recursive: true });
  const ndjson = join(folder, 'tickets.ndjson');
  const csv = join(folder, 'tickets.csv');
  const written = await writeFiles(rules, outcomes, { ndjson, csv });
  const read = [await verifyNdjson(ndjson, rules, outcomes), await verifyCsv(csv, rules, outcomes)];
  if (read.join() !== written.join()) throw new Error('the files changed after they were written');
  const sums = `${read[0]}  tickets.ndjson\n${read[1]}  tickets.csv\n`;
  await writeFile(join(folder, 'SHA256SUMS'), sums);
}

await main(process.argv.slice(2));
