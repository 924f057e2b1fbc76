/** Words and tables for people, in the order in which they are read; a medium renders them. */
export interface Page {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** A part of a page. What it has is shown in this order. */
export interface Section {
  readonly heading?: string;
  readonly lines?: readonly string[];
  readonly table?: Table;
}

/** A table of words and numbers. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

interface Column {
  readonly title: string;
  /** Right by default, as numbers are. */
  readonly align?: 'left' | 'right';
}
