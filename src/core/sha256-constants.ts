const primes = firstPrimes(64);

/** Section 4.2.2: 32 bits of the fractional parts of the cube roots of the first 64 primes. */
export const ROUND_CONSTANTS = Int32Array.from(primes, (prime) => fractionBits(prime, 3n));

/** Section 5.3.3: the same of the square roots of the first 8. */
export const START_STATE = Int32Array.from(primes.slice(0, 8), (prime) => fractionBits(prime, 2n));

function firstPrimes(count: number): readonly bigint[] {
  const found: bigint[] = [];
  for (let candidate = 2n; found.length < count; candidate += 1n) {
    if (found.every((prime) => candidate % prime !== 0n)) found.push(candidate);
  }
  return found;
}

/** The first 32 bits behind the point of a root, in exact arithmetic. */
function fractionBits(value: bigint, degree: bigint): number {
  const scaled = value << (32n * degree);
  let low = 0n;
  let high = value << 32n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** degree <= scaled) low = middle;
    else high = middle - 1n;
  }
  return Number(BigInt.asIntN(32, low));
}
