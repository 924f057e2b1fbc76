import { describe, expect, test } from '@jest/globals';
import { validBlock } from '../../testing/broken-blocks.js';
import { folderMaker } from '../../testing/sample-requests.js';
import {
  loadCopy,
  loadSample,
  newLab,
  rawConnection,
  rawExec,
  rawRows,
  sell,
  withDatabase,
  type SqliteLab,
} from '../../testing/sqlite-lab.js';

const makeFolder = folderMaker();

const SELL_ONE = "update tickets set sold_at = 'now', sale_reference = 'r' where number = 1";
const SELL_TWO = "update tickets set sold_at = 'now', sale_reference = number where number < 3";
const SELL_ALL = "update tickets set sold_at = 'now', sale_reference = number where number";

/** A database with a block on sale, of which one ticket is sold. */
async function soldLab(): Promise<SqliteLab> {
  const lab = newLab(makeFolder());
  const block = await loadSample(lab);
  sell(lab.path, block, 'first');
  return lab;
}

// One for all that is refused: none of it changes anything.
const SOLD = await soldLab();
const BEFORE = rawRows(SOLD.path, 'select * from tickets order by number');

describe('the triggers', () => {
  test.each([
    ['update tickets set number = 1000 where number = 5', 'a ticket never changes'],
    ['update tickets set block_id = 2 where number = 5', 'a ticket never changes'],
    ['update tickets set prize_cents = 0 where number = 5', 'a ticket never changes'],
    ["update tickets set combination = '' where number = 5", 'a ticket never changes'],
    ["update tickets set grids = '' where number = 5", 'a ticket never changes'],
    ["update tickets set sale_reference = 'x' where number = 1", 'a sold ticket stays sold'],
    ["update tickets set sold_at = 'later' where number = 1", 'a sold ticket stays sold'],
    [
      'update tickets set sold_at = null, sale_reference = null where number = 1',
      'a sold ticket stays sold',
    ],
    ['delete from tickets where number = 5', 'a ticket is not deleted'],
    [
      "insert into tickets values (1, 601, 0, '', '', null, null)",
      'a block on sale gets no tickets',
    ],
    [
      "insert or replace into tickets values (1, 1, 0, '', '', null, null)",
      'a block on sale gets no tickets',
    ],
    ['delete from blocks', 'a block is not deleted: withdraw it'],
    ...['name', 'game', 'csv_sha256', 'manifest', 'manifest_sha256', 'loaded_at'].map(
      (column): [string, string] => [
        `update blocks set ${column} = ${column} || ' '`,
        'a block never changes',
      ],
    ),
    ...['block_id', 'stake_cents', 'emission', 'block', 'tickets'].map(
      (column): [string, string] => [
        `update blocks set ${column} = ${column} + 1`,
        'a block never changes',
      ],
    ),
    [
      "insert or replace into blocks select 1, 'other', 'g', 1, 1, 1, 1, 'loaded', csv_sha256, '{}', csv_sha256, 'now' from blocks",
      'the block is there already',
    ],
    [
      "insert or replace into blocks select 2, name, 'g', 1, 1, 1, 1, 'loaded', csv_sha256, '{}', csv_sha256, 'now' from blocks",
      'the block is there already',
    ],
    [
      "insert or replace into blocks select 2, 'other', game, stake_cents, emission, block, 1, 'loaded', csv_sha256, '{}', csv_sha256, 'now' from blocks",
      'the block is there already',
    ],
    [
      "insert into blocks select 2, 'other', 'g', 1, 1, 1, 1, 'on sale', csv_sha256, '{}', csv_sha256, 'now' from blocks",
      'a block is loaded before it is put on sale',
    ],
    [
      "update blocks set state = 'loaded'",
      'a block goes from loaded to on sale, and is sold out with its last ticket',
    ],
    [
      "update blocks set state = 'sold out'",
      'a block goes from loaded to on sale, and is sold out with its last ticket',
    ],
    [
      "update blocks set state = 'withdrawn'; update blocks set state = 'on sale'",
      'a block goes from loaded to on sale, and is sold out with its last ticket',
    ],
    [
      "update blocks set state = 'withdrawn'; update tickets set sold_at = 'now', sale_reference = 'x' where number = 5",
      'the block is not on sale',
    ],
    ["update tickets set sold_at = 'now' where number = 5", /^CHECK constraint failed: /],
    ["update tickets set sale_reference = 'x' where number = 5", /^CHECK constraint failed: /],
    [
      "update tickets set sold_at = 'now', sale_reference = '' where number = 5",
      /^CHECK constraint failed: /,
    ],
    [
      `update tickets set sold_at = 'now', sale_reference = '${'x'.repeat(201)}' where number = 5`,
      /^CHECK constraint failed: /,
    ],
    [
      "update tickets set sold_at = 'now', sale_reference = 'first' where number = 5",
      /^UNIQUE constraint failed: tickets\.sale_reference$/,
    ],
  ] satisfies readonly [string, string | RegExp][])('refuse "%s"', (sql, why) => {
    expect(() => {
      // Left without a commit where it fails, as it must.
      rawExec(SOLD.path, `pragma recursive_triggers = off; begin; ${sql}; commit`);
    }).toThrow(why);
    expect(rawRows(SOLD.path, 'select * from tickets order by number')).toEqual(BEFORE);
  });

  test('keep a block from sale that was not put on sale', async () => {
    const lab = newLab(makeFolder());
    await loadCopy(lab, await validBlock('collect-bare'));
    expect(() => {
      rawExec(lab.path, SELL_ONE);
    }).toThrow('the block is not on sale');
  });

  test('let a sale be entered again as it was, and every block be withdrawn', async () => {
    const { path } = await soldLab();
    rawExec(path, 'update tickets set sale_reference = sale_reference where number = 1');
    rawExec(path, "update blocks set state = 'withdrawn'");
    expect(rawRows(path, 'select state from blocks')).toEqual([{ state: 'withdrawn' }]);
  });
});

describe('faults of the sales', () => {
  /** Does what no trigger allows, and leaves the triggers as they were. */
  function behindTriggers(path: string, sql: string): void {
    const triggers = rawRows(path, "select name, sql from sqlite_schema where type = 'trigger'");
    const database = rawConnection(path);
    try {
      for (const { name } of triggers) database.exec(`drop trigger ${String(name)}`);
      database.enableDefensive(false);
      database.exec(`pragma ignore_check_constraints = on; ${sql}`);
      for (const trigger of triggers) database.exec(String(trigger['sql']));
    } finally {
      database.close();
    }
  }

  async function faultsOf(path: string): Promise<readonly string[]> {
    return withDatabase(
      path,
      async (database) => {
        const [status] = await database.status();
        const stored = await database.open(String(status?.name));
        return stored.saleFaults();
      },
      { mustExist: true },
    );
  }

  const REAL_INDEX =
    'update sqlite_schema set sql = (select sql from kept) where name = (select name from kept); drop table kept;';

  test.each([
    [
      "update blocks set state = 'loaded'; " + SELL_ONE,
      ['the block was never on sale, and 1 ticket is sold'],
    ],
    [
      "update tickets set sold_at = 'now', sale_reference = number",
      ['the block is on sale, and every ticket is sold'],
    ],
    ["update blocks set state = 'sold out'", ['the block is sold out, and 600 tickets are left']],
    [
      "update tickets set sold_at = 'now' where number < 3",
      ['2 tickets have a time or a reference of a sale, and not both'],
    ],
    [
      `create table kept as select name, sql from sqlite_schema where name = 'tickets_by_reference';
      drop index tickets_by_reference;
      create index tickets_by_reference on tickets (sale_reference) where sale_reference is not null;
      update tickets set sold_at = 'now', sale_reference = 'r' where number < 4;
      pragma writable_schema = on; ${REAL_INDEX}`,
      ['2 sold tickets have the reference of another one'],
    ],
    [
      `create table kept as select name, sql from sqlite_schema where name = 'tickets_unsold';
      drop index tickets_unsold;
      create index tickets_unsold on tickets (block_id, number)
        where sale_reference is null and number > 10;
      pragma writable_schema = on; ${REAL_INDEX}`,
      ['600 tickets are left, and the index that sales go by has 590'],
    ],
    ['drop index tickets_unsold', ['the index tickets_unsold is missing']],
    [
      'drop index blocks_on_sale; create index blocks_on_sale on blocks (game)',
      ['the index blocks_on_sale is not that of the schema'],
    ],
  ])('are found: %s', async (sql, faults) => {
    const lab = newLab(makeFolder());
    await loadSample(lab);
    expect(await faultsOf(lab.path)).toEqual([]);
    behindTriggers(lab.path, sql);
    expect(await faultsOf(lab.path)).toEqual(faults);
  });

  test.each([
    ["update blocks set state = 'loaded'; " + SELL_TWO, 'and 2 tickets are sold'],
    [`${SELL_ALL} > 1; update blocks set state = 'sold out'`, 'and 1 ticket is left'],
    ["update tickets set sold_at = 'now' where number = 3", '1 ticket has a time or a reference'],
  ])('are counted in words that go with the number: %s', async (sql, words) => {
    const lab = newLab(makeFolder());
    await loadSample(lab);
    behindTriggers(lab.path, sql);
    expect(await faultsOf(lab.path)).toEqual([expect.stringContaining(words)]);
  });

  test.each([
    ['trigger evil', 'create trigger evil after update on tickets begin select raise(ignore); end'],
    // A trigger may be called as a table is.
    [
      'trigger tickets',
      'create trigger tickets before update on tickets begin select raise(ignore); end',
    ],
    ['index dear', 'create index dear on tickets (prize_cents)'],
    ['table sqlitexstat1', 'create table sqlitexstat1 (x)'],
    ['view wins', 'create view wins as select * from tickets where prize_cents > 0'],
    ['table a\\u{1b}b', 'create table "a\u001bb" (x)'],
  ])('are objects that the schema does not have: the %s', async (object, sql) => {
    const lab = newLab(makeFolder());
    await loadSample(lab);
    rawExec(lab.path, sql);
    expect(await faultsOf(lab.path)).toEqual([`the ${object} is not of the schema`]);
  });

  test('are not what SQLite itself adds', async () => {
    const lab = newLab(makeFolder());
    await loadSample(lab);
    rawExec(lab.path, 'analyze');
    expect(rawRows(lab.path, 'select count(*) > 0 as n from sqlite_stat1')).toEqual([{ n: 1 }]);
    expect(await faultsOf(lab.path)).toEqual([]);
  });

  test('are triggers that are gone', async () => {
    const lab = newLab(makeFolder());
    await loadSample(lab);
    rawExec(lab.path, 'drop trigger tickets_stay_sold');
    expect(await faultsOf(lab.path)).toEqual(['the trigger tickets_stay_sold is missing']);
  });
});
