/** The number of `taken`-subsets of `cells` cells, exact. */
export function binomial(cells: number, taken: number): bigint {
  let result = 1n;
  for (let step = 1; step <= taken; step += 1) {
    result = (result * BigInt(cells - taken + step)) / BigInt(step);
  }
  return taken > cells ? 0n : result;
}
