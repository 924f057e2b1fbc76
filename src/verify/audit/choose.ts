/** The number of `taken`-subsets of `cells` cells. */
export function choose(cells: number, taken: number): number {
  let ways = 1;
  for (let step = 1; step <= taken; step += 1) ways = (ways * (cells - taken + step)) / step;
  return taken > cells ? 0 : Math.round(ways);
}
