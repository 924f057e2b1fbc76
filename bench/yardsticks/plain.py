"""The default job as a plain Python program does it, with nothing but the standard library.

Its blocks conform, but their bytes are not those of gen-block. A yardstick of the benchmark, and written
as a competent user would write it: clear, streamed, and without tricks.

Usage: python3 plain.py definition.json stake-cents output-folder
"""

import csv
import hashlib
import json
import random
import sys
from collections import Counter, namedtuple
from pathlib import Path

COLUMNS = ["ticket", "prize_cents", "combination", "grids"]

Outcome = namedtuple("Outcome", "prize_cents combination feature lines count")
Line = namedtuple("Line", "prize_cents count symbol")

rng = random.Random("plain")


def apportion(count, weights):
    """Splits a count by weights: everyone's floor, and the largest remainders get what is left."""
    total = sum(weights)
    parts = [count * weight // total for weight in weights]
    by_remainder = sorted(
        range(len(weights)), key=lambda index: count * weights[index] % total, reverse=True
    )
    for index in by_remainder[: count - sum(parts)]:
        parts[index] += 1
    return parts


def tiers_of(game, stake):
    """Prize and count of the paying tiers, and of the losing tickets as the last one."""
    tiers = [(tier["prize_cents"], tier["count"]) for tier in stake["tiers"]]
    return [*tiers, (0, game["block_size"] - sum(count for _, count in tiers))]


def symbols_of(game, role):
    return [symbol["code"] for symbol in game["symbols"] if symbol["role"] == role]


class RowsGame:
    """Eldorado: 4 or 5 identical symbols in a row win, EXTRA symbols open further grids."""

    def __init__(self, game, stake):
        self.tiers = tiers_of(game, stake)
        self.policy = game["policy"]
        self.rows = game["grid"]["rows"]
        self.columns = game["grid"]["columns"]
        self.pay_symbols = symbols_of(game, "pay")
        self.extra_symbol = symbols_of(game, "trigger")[0]
        self.pay_table = sorted(
            (
                Line(line["prize_cents"], line["count"], line["symbol"])
                for line in stake["pay_table"]
            ),
            reverse=True,
        )
        self.lines = {(line.symbol, line.count): line for line in self.pay_table}
        self.least_count = min(line.count for line in self.pay_table)
        self.vectors = {
            law["stages"]: [vector["extra"] for vector in law["vectors"]]
            for law in self.policy["extra_stages"]
        }
        self.vector_weights = {
            law["stages"]: [vector["weight"] for vector in law["vectors"]]
            for law in self.policy["extra_stages"]
        }

    def outcomes(self):
        """Every kind of ticket with its number of tickets."""
        laws = self.policy["extra_stages"]
        for prize_cents, count in self.tiers:
            compositions = self.compositions(prize_cents, len(self.policy["composition_weights"]))
            parts = apportion(count, [law["weight"] for law in laws])
            for law, part in zip(laws, parts):
                yield from self.outcomes_of_stage(prize_cents, compositions, law["stages"], part)

    def outcomes_of_stage(self, prize_cents, compositions, stages, count):
        allowed = [
            lines
            for lines in compositions
            if all(self.has_room(lines, extra) for extra in self.vectors[stages])
        ]
        weights = [
            self.policy["composition_weights"][len(lines) - 1] if lines else 1 for lines in allowed
        ]
        for lines, part in zip(allowed, apportion(count, weights)):
            yield Outcome(prize_cents, combination_text(lines), stages, lines, part)

    def compositions(self, rest_cents, rows_left, first=0):
        """All lists of pay lines, highest first, that add up to a prize."""
        if rest_cents == 0:
            return [[]]
        if rows_left == 0:
            return []
        return [
            [line, *lines]
            for index, line in enumerate(self.pay_table[first:], first)
            if line.prize_cents <= rest_cents
            for lines in self.compositions(rest_cents - line.prize_cents, rows_left - 1, index)
        ]

    def has_room(self, lines, extra):
        """Whether the lines can be given to grids that each keep room for their EXTRA symbols."""
        return self.can_place(lines, [(self.rows, self.rows * self.columns - e) for e in extra])

    def can_place(self, lines, grids):
        """`grids` has for each grid its free rows, and its free cells beyond its EXTRA symbols."""
        if not lines:
            return True
        line, *others = lines
        return any(
            self.can_place(others, [*grids[:i], (rows - 1, cells - line.count), *grids[i + 1 :]])
            for i, (rows, cells) in enumerate(grids)
            if rows > 0 and cells >= line.count
        )

    def draw_grids(self, outcome):
        stages = outcome.feature
        if stages == 0:
            extra = [0]
        else:
            extra = rng.choices(self.vectors[stages], self.vector_weights[stages])[0]
        if outcome.lines:
            placed = self.place_lines(outcome.lines, extra)
        else:
            placed = [[None] * self.rows] * len(extra)
        return [self.draw_grid(lines, count) for lines, count in zip(placed, extra)]

    def place_lines(self, lines, extra):
        """Gives each winning line a row of its own: for each grid its rows' lines, or None."""
        while True:
            places = [None] * (self.rows * len(extra))
            for line, place in zip(lines, rng.sample(range(len(places)), len(lines))):
                places[place] = line
            grids = [places[i : i + self.rows] for i in range(0, len(places), self.rows)]
            if all(self.room(grid) >= count for grid, count in zip(grids, extra)):
                return grids

    def room(self, lines):
        return self.rows * self.columns - sum(line.count for line in lines if line)

    def draw_grid(self, lines, extra_count):
        if extra_count == 0:
            return [self.draw_row(line, 0) for line in lines]
        free_rows = [
            row
            for row, line in enumerate(lines)
            for _ in range(self.columns - (line.count if line else 0))
        ]
        rows_with_extra = Counter(rng.sample(free_rows, extra_count))
        return [self.draw_row(line, rows_with_extra[row]) for row, line in enumerate(lines)]

    def draw_row(self, line, extra_count):
        """Draws at random until the row wins what it should, and nothing else."""
        fixed = [self.extra_symbol] * extra_count
        if line:
            fixed += [line.symbol] * line.count
        while True:
            cells = fixed + rng.choices(self.pay_symbols, k=self.columns - len(fixed))
            if self.line_of(cells) is line:
                break
        if fixed:
            rng.shuffle(cells)
        return "".join(cells)

    def line_of(self, row):
        """The line that a row wins, or None."""
        for symbol in self.pay_symbols:
            count = row.count(symbol)
            if count >= self.least_count:
                return self.lines[symbol, count]
        return None

    def evaluate(self, grids):
        """What the symbols of a ticket amount to: prize, combination, stages."""
        extra = ["".join(grid).count(self.extra_symbol) for grid in grids]
        stages = len(grids) - 1
        if extra not in self.vectors[stages]:
            raise ValueError(f"EXTRA symbols {extra} are not allowed")
        lines = [line for grid in grids for row in grid if (line := self.line_of(row))]
        lines.sort(reverse=True)
        return sum(line.prize_cents for line in lines), combination_text(lines), stages


def combination_text(lines):
    return "+".join(f"{line.count}{line.symbol}" for line in lines)


class CollectGame:
    """Lagon Paradis: one grid for each choice; the chosen symbols are counted."""

    def __init__(self, game, stake):
        self.tiers = tiers_of(game, stake)
        self.losing_counts = game["policy"]["losing_counts"]
        self.cap = game["policy"]["unchosen_cap"]
        self.rows = game["grid"]["rows"]
        self.columns = game["grid"]["columns"]
        self.cells = self.rows * self.columns
        self.play_symbols = symbols_of(game, "play")
        codes = [symbol["code"] for symbol in game["symbols"]]
        self.others = {
            chosen: [code for code in codes if code != chosen] for chosen in self.play_symbols
        }
        self.capped = {
            chosen: [code for code in self.play_symbols if code != chosen]
            for chosen in self.play_symbols
        }
        self.prizes = {line["count"]: line["prize_cents"] for line in stake["pay_table"]}

    def outcomes(self):
        """Every kind of ticket with its number of tickets."""
        counts = {prize_cents: count for count, prize_cents in self.prizes.items()}
        for prize_cents, tickets in self.tiers:
            if prize_cents > 0:
                chosen = counts[prize_cents]
                yield Outcome(prize_cents, str(chosen), chosen, [], tickets)
        parts = apportion(tickets, [law["weight"] for law in self.losing_counts])
        for law, part in zip(self.losing_counts, parts):
            yield Outcome(0, "", law["chosen"], [], part)

    def draw_grids(self, outcome):
        return [self.draw_grid(chosen, outcome.feature) for chosen in self.play_symbols]

    def draw_grid(self, chosen, count):
        while True:
            cells = rng.choices(self.others[chosen], k=self.cells)
            for cell in rng.sample(range(self.cells), count):
                cells[cell] = chosen
            if self.keeps_caps(cells, chosen):
                break
        text = "".join(cells)
        return [text[i : i + self.columns] for i in range(0, self.cells, self.columns)]

    def keeps_caps(self, cells, chosen):
        for symbol in self.capped[chosen]:
            if cells.count(symbol) > self.cap:
                return False
        return True

    def evaluate(self, grids):
        """What the symbols of a ticket amount to: prize, combination, chosen symbols."""
        counts = set()
        for chosen, grid in zip(self.play_symbols, grids, strict=True):
            cells = "".join(grid)
            if not self.keeps_caps(cells, chosen):
                raise ValueError("a symbol stands too often")
            counts.add(cells.count(chosen))
        if len(counts) > 1:
            raise ValueError("the choices differ")
        count = counts.pop()
        prize_cents = self.prizes.get(count, 0)
        return prize_cents, str(count) if prize_cents else "", count


def write_files(rules, outcomes, ndjson, csv_path):
    """Writes all tickets of a block in a random order."""
    order = [outcome for outcome in outcomes for _ in range(outcome.count)]
    rng.shuffle(order)
    with open(ndjson, "x", newline="") as lines, open(csv_path, "x", newline="") as rows:
        writer = csv.writer(rows, lineterminator="\n")
        writer.writerow(COLUMNS)
        encode = json.JSONEncoder(separators=(",", ":")).encode
        for ticket, outcome in enumerate(order, 1):
            grids = rules.draw_grids(outcome)
            prize_cents, combination = outcome.prize_cents, outcome.combination
            record = dict(zip(COLUMNS, (ticket, prize_cents, combination, grids)))
            lines.write(encode(record) + "\n")
            writer.writerow([ticket, prize_cents, combination, "|".join(map("/".join, grids))])


def read_ndjson(path):
    with open(path, newline="") as lines:
        for line in lines:
            record = json.loads(line)
            yield [record[column] for column in COLUMNS]


def read_csv(path):
    with open(path, newline="") as lines:
        rows = csv.reader(lines)
        if next(rows) != COLUMNS:
            raise ValueError("the header is wrong")
        for ticket, prize_cents, combination, grids in rows:
            parsed = [grid.split("/") for grid in grids.split("|")]
            yield int(ticket), int(prize_cents), combination, parsed


def verify(rules, outcomes, tickets):
    """Recomputes every prize out of the symbols, and holds all counts against the outcomes."""
    counts = Counter()
    for expected, (ticket, prize_cents, combination, grids) in enumerate(tickets, 1):
        found = rules.evaluate(grids)
        if ticket != expected or found[:2] != (prize_cents, combination):
            raise ValueError(f"ticket {ticket} is not what its symbols say")
        counts[found] += 1
    wanted = {
        (outcome.prize_cents, outcome.combination, outcome.feature): outcome.count
        for outcome in outcomes
        if outcome.count > 0
    }
    if counts != wanted:
        raise ValueError("the counts are wrong")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(definition, stake_cents, folder):
    game = json.loads(Path(definition).read_text())
    stake = next(stake for stake in game["stakes"] if stake["stake_cents"] == int(stake_cents))
    rules = (RowsGame if game["mechanic"] == "rows" else CollectGame)(game, stake)
    outcomes = list(rules.outcomes())
    output = Path(folder)
    output.mkdir(parents=True, exist_ok=True)
    ndjson, csv_path = output / "tickets.ndjson", output / "tickets.csv"
    write_files(rules, outcomes, ndjson, csv_path)
    sums = "".join(f"{sha256(path)}  {path.name}\n" for path in (ndjson, csv_path))
    (output / "SHA256SUMS").write_text(sums)
    verify(rules, outcomes, read_ndjson(ndjson))
    verify(rules, outcomes, read_csv(csv_path))


if __name__ == "__main__":
    main(*sys.argv[1:])
