/** The shells that there is a completion for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell that there is a completion for. */
export type Shell = (typeof SHELLS)[number];
