import type { Fault } from '../verify/evaluator.js';
import type { LanguageId } from './language.js';

/** The words around a pictured ticket in one language; numbers come written. */
export interface TicketWords {
  readonly ticket: (number: string, block: string, result: string) => string;
  readonly loses: string;
  readonly wins: (euros: string) => string;
  readonly mainGrid: string;
  readonly extraStage: (number: string) => string;
  readonly choice: (symbol: string) => string;
  readonly prize: string;
  readonly nothing: string;
  readonly legend: (symbols: string) => string;
  readonly disagrees: (record: string, symbols: string) => string;
  /** What is against the rules; findings have codes in English in every language. */
  readonly fault: (fault: Fault) => string;
}

const EN: TicketWords = {
  ticket: (number, block, result) => `Ticket ${number} of ${block}: ${result}`,
  loses: 'loses',
  wins: (euros) => `wins ${euros} EUR`,
  mainGrid: 'Main grid',
  extraStage: (number) => `EXTRA stage ${number}`,
  choice: (symbol) => `Choice: ${symbol}`,
  prize: 'prize (EUR)',
  nothing: 'no winning combination',
  legend: (symbols) => `Symbols: ${symbols}`,
  disagrees: (record, symbols) =>
    `Its record says ${record} EUR, its symbols amount to ${symbols} EUR: gen-block verify says more.`,
  fault: ({ code, grid, row, expected, found }) =>
    `${code}${placeText('grid', grid)}${placeText('row', row)}: expected ${expected}; found ${found}`,
};

const FR: TicketWords = {
  ticket: (number, block, result) => `Unité de jeu ${number} de ${block} : ${result}`,
  loses: 'perdante',
  wins: (euros) => `gagne ${euros} €`,
  mainGrid: 'Grille principale',
  extraStage: (number) => `Étape Extra ${number}`,
  choice: (symbol) => `Symbole sélectionné : ${symbol}`,
  prize: 'lot (€)',
  nothing: 'aucune combinaison gagnante',
  legend: (symbols) => `Symboles : ${symbols}`,
  disagrees: (record, symbols) =>
    `L’enregistrement dit ${record} €, les symboles font ${symbols} € : gen-block verify en dit plus.`,
  fault: ({ code, grid, row }) =>
    `Contraire aux règles : ${code}${placeText('grille', grid)}${placeText('ligne', row)} ; gen-block verify en dit plus.`,
};

function placeText(name: string, number: number | undefined): string {
  return number === undefined ? '' : `, ${name} ${number}`;
}

/** The words of a language. */
export function ticketWords(language: LanguageId): TicketWords {
  return { en: EN, fr: FR }[language];
}
