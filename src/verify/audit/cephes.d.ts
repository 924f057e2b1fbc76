/** The functions of the `cephes` package that are used; its own types do not cover its ESM build. */
declare module 'cephes' {
  /** Resolves when the functions can be called. */
  export const compiled: Promise<void>;
  /** The probability that a chi-square variable with `df` degrees of freedom is above `x`. */
  export function chdtrc(df: number, x: number): number;
  /** The probability that a standard normal variable is below `x`. */
  export function ndtr(x: number): number;
  /** The probability that a gamma variable of this shape and scale 1 is below `x`. */
  export function igam(shape: number, x: number): number;
  /** The probability that a gamma variable of this shape and scale 1 is above `x`. */
  export function igamc(shape: number, x: number): number;
  /** The probability of `k` or fewer successes in `n` independent trials. */
  export function bdtr(k: number, n: number, p: number): number;
  /** The probability of more than `k` successes in `n` independent trials. */
  export function bdtrc(k: number, n: number, p: number): number;
  /** The probability that a Poisson variable is at most `k`. */
  export function pdtr(k: number, mean: number): number;
  /** The probability that a Poisson variable is above `k`. */
  export function pdtrc(k: number, mean: number): number;
  /** The probability that the largest one-sided distance of `n` uniform values is above `d`. */
  export function smirnov(n: number, d: number): number;
  /** The probability that the largest distance of a Brownian bridge from 0 is above `x`. */
  export function kolmogorov(x: number): number;
}
