/*
 * The two games for the idiomatic yardstick: their outcomes, how grids are drawn, and what grids amount
 * to. Both are made from the definitions that gen-block ships.
 */
import seedrandom from 'seedrandom';

const random = seedrandom('idiomatic');

/** An integer from 0 to n - 1. */
function randomInteger(n) {
  return Math.floor(random() * n);
}

function pick(items) {
  return items[randomInteger(items.length)];
}

function pickWeighted(items) {
  let point = randomInteger(sum(items.map(({ weight }) => weight)));
  return items.find(({ weight }) => (point -= weight) < 0);
}

/** Puts items into a random order, in place. */
export function shuffle(items) {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = randomInteger(last + 1);
    [items[last], items[other]] = [items[other], items[last]];
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How often a letter stands in a row, be it text or a list. */
function countLetter(row, letter) {
  let count = 0;
  for (const cell of row) if (cell === letter) count += 1;
  return count;
}

/** Splits a count by weights: everyone's floor, and the largest remainders get what is left. */
function apportion(count, weights) {
  const total = sum(weights);
  const parts = weights.map((weight) => Math.floor((count * weight) / total));
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (count * weight) % total }))
    .sort((a, b) => b.remainder - a.remainder);
  for (const { index } of byRemainder.slice(0, count - sum(parts))) parts[index] += 1;
  return parts;
}

/** The paying tiers, and the losing tickets as the last one. */
function tiersOf(game, stake) {
  const winning = sum(stake.tiers.map(({ count }) => count));
  return [...stake.tiers, { prize_cents: 0, count: game.block_size - winning }];
}

/** Rows game (Eldorado): 4 or 5 identical symbols in a row win, EXTRA symbols open further grids. */
export class RowsGame {
  constructor(game, stake) {
    this.game = game;
    this.stake = stake;
    this.payTable = stake.pay_table.toSorted((a, b) => b.prize_cents - a.prize_cents);
    this.lines = new Map(this.payTable.map((line) => [`${line.count}${line.symbol}`, line]));
    this.leastCount = Math.min(...this.payTable.map(({ count }) => count));
    this.paySymbols = game.symbols.filter(({ role }) => role === 'pay').map(({ code }) => code);
    this.extraSymbol = game.symbols.find(({ role }) => role === 'trigger').code;
    this.vectors = new Map(
      game.policy.extra_stages.map(({ stages, vectors }) => [stages, vectors]),
    );
  }

  /** Every kind of ticket with its number of tickets. */
  outcomes() {
    const laws = this.game.policy.extra_stages;
    return tiersOf(this.game, this.stake).flatMap(({ prize_cents, count }) => {
      const compositions = this.compositions(prize_cents);
      const parts = apportion(
        count,
        laws.map(({ weight }) => weight),
      );
      return laws.flatMap((law, index) =>
        this.outcomesOfStage({ prize_cents, compositions, law, count: parts[index] }),
      );
    });
  }

  outcomesOfStage({ prize_cents, compositions, law, count }) {
    const allowed = compositions.filter((lines) =>
      law.vectors.every(({ extra }) => this.hasRoom(lines, extra)),
    );
    const weights = allowed.map(
      ({ length }) => this.game.policy.composition_weights[length - 1] ?? 1,
    );
    const parts = apportion(count, weights);
    return allowed.map((lines, index) => ({
      prize_cents,
      combination: combinationText(lines),
      lines,
      feature: law.stages,
      count: parts[index],
    }));
  }

  /** All lists of pay lines, highest first, that add up to a prize. */
  compositions(restCents, rowsLeft = this.game.policy.composition_weights.length, first = 0) {
    if (restCents === 0) return [[]];
    if (rowsLeft === 0) return [];
    return this.payTable.slice(first).flatMap((line, offset) => {
      if (line.prize_cents > restCents) return [];
      const rest = restCents - line.prize_cents;
      return this.compositions(rest, rowsLeft - 1, first + offset).map((lines) => [line, ...lines]);
    });
  }

  /** Whether winning lines can be given to grids that each keep room for their EXTRA symbols. */
  hasRoom(lines, extra, grids = extra.map(() => [])) {
    const { rows } = this.game.grid;
    const [line, ...others] = lines;
    if (line === undefined) return grids.every((grid, index) => this.room(grid) >= extra[index]);
    return grids.some((grid, index) => {
      if (grid.length === rows) return false;
      return this.hasRoom(others, extra, grids.with(index, [...grid, line]));
    });
  }

  /** The cells of a grid that its winning lines leave free. */
  room(lines) {
    const { rows, columns } = this.game.grid;
    return rows * columns - sum(lines.map(({ count }) => count));
  }

  drawGrids({ lines, feature }) {
    const { extra } = pickWeighted(this.vectors.get(feature));
    let placed = this.placeLines(lines, extra.length);
    while (!extra.every((count, index) => this.room(placed[index].filter(Boolean)) >= count)) {
      placed = this.placeLines(lines, extra.length);
    }
    return placed.map((gridLines, index) => this.drawGrid(gridLines, extra[index]));
  }

  /** Gives each winning line a row of its own: for each grid its rows' lines, or null. */
  placeLines(lines, gridCount) {
    const { rows } = this.game.grid;
    const grids = Array.from({ length: gridCount }, () => new Array(rows).fill(null));
    for (const line of lines) {
      let grid = pick(grids);
      let row = randomInteger(rows);
      while (grid[row] !== null) {
        grid = pick(grids);
        row = randomInteger(rows);
      }
      grid[row] = line;
    }
    return grids;
  }

  drawGrid(lines, extraCount) {
    const { rows, columns } = this.game.grid;
    const cells = lines.map((line) => this.startRow(line));
    for (let left = extraCount; left > 0;) {
      const row = cells[randomInteger(rows)];
      const column = randomInteger(columns);
      if (row[column] !== '') continue;
      row[column] = this.extraSymbol;
      left -= 1;
    }
    return cells.map((row, index) => this.fillRow(row, lines[index]));
  }

  /** A row with its winning symbols in place, and all other cells empty. */
  startRow(line) {
    const row = new Array(this.game.grid.columns).fill('');
    for (let left = line?.count ?? 0; left > 0;) {
      const column = randomInteger(row.length);
      if (row[column] !== '') continue;
      row[column] = line.symbol;
      left -= 1;
    }
    return row;
  }

  /** Fills the empty cells at random until the row wins what it should, and nothing else. */
  fillRow(row, line) {
    for (;;) {
      const filled = row.map((cell) => cell || pick(this.paySymbols));
      if (this.lineOf(filled) === line) return filled.join('');
    }
  }

  /** The line that a row wins, or null. */
  lineOf(row) {
    for (const symbol of this.paySymbols) {
      const count = countLetter(row, symbol);
      if (count >= this.leastCount) return this.lines.get(`${count}${symbol}`) ?? null;
    }
    return null;
  }

  /** What the symbols of a ticket amount to; throws where they break a rule. */
  evaluate(grids) {
    const extra = grids.map((grid) => sum(grid.map((row) => countLetter(row, this.extraSymbol))));
    const feature = grids.length - 1;
    const isAllowed = this.vectors
      .get(feature)
      ?.some((vector) => vector.extra.every((count, index) => count === extra[index]));
    if (!isAllowed) throw new Error(`EXTRA symbols ${extra.join()} are not allowed`);
    const won = grids.flatMap((grid) => grid.map((row) => this.lineOf(row))).filter(Boolean);
    const lines = won.sort((a, b) => b.prize_cents - a.prize_cents);
    const prize_cents = sum(lines.map((line) => line.prize_cents));
    return { prize_cents, combination: combinationText(lines), feature };
  }
}

function combinationText(lines) {
  return lines.map(({ count, symbol }) => `${count}${symbol}`).join('+');
}

/** Collect game (Lagon Paradis): one grid for each choice; the chosen symbols are counted. */
export class CollectGame {
  constructor(game, stake) {
    this.game = game;
    this.stake = stake;
    this.codes = game.symbols.map(({ code }) => code);
    this.playSymbols = game.symbols.filter(({ role }) => role === 'play').map(({ code }) => code);
    this.others = new Map(
      this.playSymbols.map((chosen) => [chosen, this.codes.filter((code) => code !== chosen)]),
    );
    this.lines = new Map(stake.pay_table.map((line) => [line.count, line]));
  }

  /** Every kind of ticket with its number of tickets. */
  outcomes() {
    return tiersOf(this.game, this.stake).flatMap(({ prize_cents, count }) => {
      if (prize_cents === 0) return this.losingOutcomes(count);
      const line = this.stake.pay_table.find((each) => each.prize_cents === prize_cents);
      return [{ prize_cents, combination: String(line.count), feature: line.count, count }];
    });
  }

  losingOutcomes(count) {
    const laws = this.game.policy.losing_counts;
    const parts = apportion(
      count,
      laws.map(({ weight }) => weight),
    );
    return laws.map(({ chosen }, index) => ({
      prize_cents: 0,
      combination: '',
      feature: chosen,
      count: parts[index],
    }));
  }

  drawGrids({ feature }) {
    return this.playSymbols.map((chosen) => this.drawGrid(chosen, feature));
  }

  drawGrid(chosen, count) {
    const { rows, columns } = this.game.grid;
    const others = this.others.get(chosen);
    const start = new Array(rows * columns).fill('');
    for (let left = count; left > 0;) {
      const cell = randomInteger(start.length);
      if (start[cell] !== '') continue;
      start[cell] = chosen;
      left -= 1;
    }
    let cells = start.map((cell) => cell || pick(others));
    while (!this.keepsCaps(cells, chosen)) cells = start.map((cell) => cell || pick(others));
    const text = cells.join('');
    return Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns));
  }

  keepsCaps(cells, chosen) {
    return this.playSymbols.every(
      (symbol) => symbol === chosen || countLetter(cells, symbol) <= this.game.policy.unchosen_cap,
    );
  }

  /** What the symbols of a ticket amount to; throws where they break a rule. */
  evaluate(grids) {
    const cells = grids.map((grid) => grid.join(''));
    const counts = this.playSymbols.map((symbol, index) => countLetter(cells[index], symbol));
    const [feature] = counts;
    if (counts.some((count) => count !== feature)) throw new Error('the choices differ');
    const keepsCaps = this.playSymbols.every((chosen, index) =>
      this.keepsCaps(cells[index], chosen),
    );
    if (!keepsCaps) throw new Error('a symbol stands too often');
    const line = this.lines.get(feature);
    const combination = line === undefined ? '' : String(line.count);
    return { prize_cents: line?.prize_cents ?? 0, combination, feature };
  }
}
