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
  /** 0.168: `16.80 %`. */
  percent(part: number): string;
}

/** French numbers are parted by a narrow space that no line breaks at. */
const NARROW_SPACE = '\u{202f}';

const NO_BREAK_SPACE = '\u{a0}';

const SEPARATORS = {
  en: { thousands: ',', decimals: '.', beforePercent: ' ' },
  fr: { thousands: NARROW_SPACE, decimals: ',', beforePercent: NO_BREAK_SPACE },
} as const;

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
    percent: (part) => `${decimal(100 * part, 2)}${beforePercent}%`,
  };
}
