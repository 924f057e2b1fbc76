/** The languages that tables and pictures can be had in. */
export const LANGUAGE_IDS = ['en', 'fr'] as const;

export type LanguageId = (typeof LANGUAGE_IDS)[number];

export function isLanguageId(text: string): text is LanguageId {
  return LANGUAGE_IDS.some((id) => id === text);
}

/**
 * Numbers as a language writes them. Written by hand and not with the machine's locale, so that the
 * same input gives the same text everywhere.
 */
export interface NumberStyle {
  /** 900000: `900,000` or `900 000`. */
  count(value: number): string;
  /** 750: `7.50` or `7,50`. */
  euros(cents: number): string;
  /** A number with so many decimals. */
  decimal(value: number, decimals: number): string;
  /** 0.168: `16.80 %`; 0.000042: `0.0042 %`. */
  percent(part: number): string;
}

/** French numbers are parted by a narrow space that no line breaks at. */
const NARROW_SPACE = '\u{202f}';

const NO_BREAK_SPACE = '\u{a0}';

const SEPARATORS = {
  en: { thousands: ',', decimals: '.', beforePercent: ' ' },
  fr: { thousands: NARROW_SPACE, decimals: ',', beforePercent: NO_BREAK_SPACE },
} as const;

/** The smallest percentage that two decimals show. */
const LEAST_OF_TWO_DECIMALS = 0.01;

/**
 * The decimals that a percentage is written with: two, or below 0.01 % as many as show two digits that
 * count, so that nothing that there is looks like nothing.
 *
 * @param part - 0.5 for 50 %.
 */
function percentDecimals(part: number): number {
  // Rounded first: 0.00999 % is 0.01 %.
  const rounded = Number((100 * part).toPrecision(2));
  if (rounded <= 0 || rounded >= LEAST_OF_TWO_DECIMALS) return 2;
  return Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(rounded)));
}

/** No share of a block is so small that it needs more. */
const MOST_DECIMALS = 20;

/** A part of a whole as percentage in English, without grouping; a dash where the whole is nothing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '-';
  return `${((100 * part) / whole).toFixed(percentDecimals(part / whole))} %`;
}

/** The numbers of a language. */
export function numberStyle(language: LanguageId): NumberStyle {
  const { thousands, decimals: point, beforePercent } = SEPARATORS[language];
  const decimal = (value: number, decimals: number): string => {
    const [whole = '', rest] = Math.abs(value).toFixed(decimals).split('.');
    const sign = value < 0 ? '-' : '';
    const parted = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands);
    return `${sign}${parted}${rest === undefined ? '' : `${point}${rest}`}`;
  };
  return {
    count: (value) => decimal(value, 0),
    euros: (cents) => decimal(cents / 100, 2),
    decimal,
    percent: (part) => `${decimal(100 * part, percentDecimals(part))}${beforePercent}%`,
  };
}
