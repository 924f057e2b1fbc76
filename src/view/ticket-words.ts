import type { LanguageId } from './language.js';

/** The words around a pictured ticket in one language; numbers come written. */
export interface TicketWords {
  readonly ticket: (number: string, block: string) => string;
  readonly loses: string;
  readonly wins: (euros: string) => string;
  readonly mainGrid: string;
  readonly extraStage: (number: string) => string;
  readonly choice: (symbol: string) => string;
  readonly prize: string;
  readonly nothing: string;
  readonly legend: (symbols: string) => string;
  readonly disagrees: (record: string, symbols: string) => string;
}

const EN: TicketWords = {
  ticket: (number, block) => `Ticket ${number} of ${block}`,
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
};

const FR: TicketWords = {
  ticket: (number, block) => `Unité de jeu ${number} de ${block}`,
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
};

/** The words of a language. */
export function ticketWords(language: LanguageId): TicketWords {
  return { en: EN, fr: FR }[language];
}
