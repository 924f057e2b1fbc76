import type { CellPicture, GridPicture } from '../../grid-picture.js';
import type { TicketPicture } from '../../ticket-picture.js';

/*
 * The ticket player of a report, which runs in the browser: choose a ticket, choose a symbol where
 * the game asks for one, uncover the cells, go through the EXTRA stages, see the sum.
 */

const player = document.querySelector('#player');
const data = document.querySelector('#tickets');
if (player !== null && data !== null) {
  startPlayer(player, JSON.parse(data.textContent) as readonly TicketPicture[]);
}

function startPlayer(root: Element, tickets: readonly TicketPicture[]): void {
  const select = document.createElement('select');
  for (const [index, { ticket, prizeCents }] of tickets.entries()) {
    const prize = prizeCents === 0 ? 'no prize' : `${euros(prizeCents)} EUR`;
    select.add(new Option(`Ticket ${count(ticket)}: ${prize}`, String(index)));
  }
  const stage = document.createElement('div');
  const start = (): void => {
    const ticket = tickets[select.selectedIndex];
    if (ticket !== undefined) playTicket(stage, ticket);
  };
  select.addEventListener('change', start);
  root.replaceChildren(labelled('Ticket ', select), stage);
  start();
}

/** A ticket with choices asks for one first; any other starts with its main grid. */
function playTicket(stage: Element, ticket: TicketPicture): void {
  const choices = ticket.grids.filter(({ role }) => role.kind === 'choice');
  if (choices.length === 0) {
    playGrids(stage, ticket, ticket.grids);
    return;
  }
  const fieldset = document.createElement('fieldset');
  fieldset.append(element('legend', 'Choose your symbol'));
  const table = document.createElement('div');
  for (const grid of choices) {
    const radio = document.createElement('input');
    radio.type = 'radio';
    radio.name = 'choice';
    const name = grid.role.kind === 'choice' ? grid.role.name : '';
    radio.value = name;
    radio.addEventListener('change', () => playGrids(table, ticket, [grid]));
    const label = document.createElement('label');
    label.append(radio, ` ${name}`);
    fieldset.append(label);
  }
  stage.replaceChildren(fieldset, table);
}

/** Plays grid after grid; what they win is told when the last one is open. */
function playGrids(stage: Element, ticket: TicketPicture, grids: readonly GridPicture[]): void {
  const table = document.createElement('div');
  const status = element('p', '');
  status.setAttribute('role', 'status');
  stage.replaceChildren(table, status);
  status.tabIndex = -1;
  const play = (index: number): HTMLButtonElement | undefined => {
    const grid = grids[index];
    if (grid === undefined) return undefined;
    status.textContent = '';
    return drawGrid(table, grid, () => {
      const isLast = index === grids.length - 1;
      status.textContent = isLast
        ? resultText(ticket, grids)
        : `${titleOf(grid)} is open. It ${winText(grid)}.`;
      // What had the focus may be gone: it goes to where the ticket goes on.
      if (isLast) {
        status.focus();
        return;
      }
      const next = button(`Play EXTRA stage ${index + 1}`, () => play(index + 1)?.focus());
      next.className = 'next';
      table.append(next);
      next.focus();
    });
  };
  play(0);
}

/** Covered cells that open one by one or all at once. Returns the first of them. */
function drawGrid(
  table: Element,
  grid: GridPicture,
  onOpen: () => void,
): HTMLButtonElement | undefined {
  const columns = grid.rows[0]?.length ?? 1;
  const cells = grid.rows.flat();
  const box = document.createElement('div');
  box.className = 'grid';
  box.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', titleOf(grid));
  let covered = cells.length;
  const buttons = cells.map((cell, index) => {
    const place = placeText(index, columns);
    const covering = button('?', () => {
      if (covering.classList.contains('open')) return;
      openCell(covering, cell, place);
      covered -= 1;
      if (covered > 0) return;
      all.remove();
      markWins(buttons, cells, columns);
      onOpen();
    });
    covering.className = 'cell';
    covering.setAttribute('aria-label', `${place}: covered`);
    return covering;
  });
  box.append(...buttons);
  box.addEventListener('keydown', (event) => moveFocus(event, buttons, columns));
  const all = button('Uncover all', () => {
    for (const each of buttons) each.click();
  });
  all.className = 'all';
  table.replaceChildren(element('h3', titleOf(grid)), box, all);
  return buttons[0];
}

function placeText(index: number, columns: number): string {
  return `row ${Math.floor(index / columns) + 1}, column ${(index % columns) + 1}`;
}

function openCell(
  covering: HTMLButtonElement,
  { code, name, isTrigger }: CellPicture,
  place: string,
): void {
  covering.classList.add('open');
  if (isTrigger) covering.classList.add('trigger');
  const letter = element('span', code);
  letter.className = 'code';
  covering.replaceChildren(letter, ` ${name}`);
  covering.setAttribute('aria-label', `${place}: ${code} ${name}`);
}

function markWins(
  buttons: readonly HTMLButtonElement[],
  cells: readonly CellPicture[],
  columns: number,
): void {
  buttons.forEach((opened, index) => {
    const cell = cells[index];
    if (cell?.isWinning !== true) return;
    opened.classList.add('win');
    const place = placeText(index, columns);
    opened.setAttribute('aria-label', `${place}: ${cell.code} ${cell.name}, winning`);
  });
}

const STEPS = new Map<string, readonly [number, number]>([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
]);

/** Arrow keys go from cell to cell. */
function moveFocus(
  event: KeyboardEvent,
  buttons: readonly HTMLButtonElement[],
  columns: number,
): void {
  const step = STEPS.get(event.key);
  const from = buttons.findIndex((each) => each === document.activeElement);
  if (step === undefined || from < 0) return;
  const column = (from % columns) + step[0];
  const to = buttons[from + step[0] + step[1] * columns];
  if (column < 0 || column >= columns || to === undefined) return;
  event.preventDefault();
  to.focus();
}

function titleOf({ role }: GridPicture): string {
  if (role.kind === 'main') return 'Main grid';
  return role.kind === 'extra' ? `EXTRA stage ${role.stage}` : `Your symbol: ${role.name}`;
}

function winText(grid: GridPicture): string {
  const sum = grid.wins.reduce((total, { prizeCents }) => total + prizeCents, 0);
  return sum === 0 ? 'wins nothing' : `wins ${euros(sum)} EUR`;
}

/** The sum worked out: `4 vase 15.00 + 4 bracelet 5.00 = 20.00 EUR`. */
function resultText({ symbolsCents }: TicketPicture, grids: readonly GridPicture[]): string {
  const wins = grids.flatMap((grid) =>
    grid.wins.map(({ symbol, count: so, prizeCents }) => {
      const code = symbol ?? (grid.role.kind === 'choice' ? grid.role.code : '');
      const name = grid.rows.flat().find((cell) => cell.code === code)?.name ?? code;
      return `${so} ${name} ${euros(prizeCents)}`;
    }),
  );
  if (wins.length === 0) return 'The ticket wins nothing.';
  return `${wins.join(' + ')} = ${euros(symbolsCents)} EUR. The ticket wins ${euros(symbolsCents)} EUR.`;
}

function euros(cents: number): string {
  const [whole = '', rest = ''] = (cents / 100).toFixed(2).split('.');
  return `${count(Number(whole))}.${rest}`;
}

function count(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', onClick);
  return made;
}

function labelled(text: string, control: HTMLElement): HTMLElement {
  const label = document.createElement('label');
  label.append(text, control);
  return label;
}
