import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBlock } from '../block/generate-block.js';
import type { BlockRequest } from '../block/plan-block.js';
import { saltKeyFrom } from '../block/verify-from-seed.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { parseCommitment } from '../formats/commitment.js';
import { COMMITMENT_FILE } from '../formats/manifest.js';
import { encodeSaltKey } from '../formats/salt-key.js';
import { TicketProver } from '../verify/prove-tickets.js';
import { encryptBytes, newAgeKey } from './age-lab.js';
import { fuzzTargets, type FuzzTarget } from './fuzz.js';
import { trustTargets, type CommittedSample } from './fuzz-trust.js';

/** The targets, with a small block of each mechanic as valid input. */
export async function makeFuzzTargets(): Promise<readonly FuzzTarget[]> {
  const targets: FuzzTarget[] = [];
  for (const definition of ['rows-zero', 'collect-zero']) {
    const outputFolder = await mkdtemp(join(tmpdir(), 'fuzz-'));
    try {
      const url = new URL(`../../fixtures/definitions/${definition}.json`, import.meta.url);
      const game = loadDefinitionFile(fileURLToPath(url));
      const seed = Buffer.from('fuzz');
      const identity = { stakeCents: 100, engine: 'chacha20', emission: 1, block: 1 } as const;
      const request = { game, seed, ...identity };
      const { folder } = await generateBlock(request, { outputFolder, commitTickets: true });
      const read = (name: string): Promise<Buffer> => readFile(join(folder, name));
      const [manifest, ndjson, csv] = await Promise.all(
        ['manifest.json', 'tickets.ndjson', 'tickets.csv'].map(read),
      );
      if (manifest === undefined || ndjson === undefined || csv === undefined) continue;
      targets.push(...fuzzTargets({ definition, manifest, ndjson, csv }));
      targets.push(...trustTargets(await trustSample(folder, request, csv)));
    } finally {
      await rm(outputFolder, { recursive: true });
    }
  }
  return targets;
}

async function trustSample(
  folder: string,
  request: BlockRequest,
  content: Uint8Array,
): Promise<CommittedSample> {
  const { game, seed } = request;
  const prover = await TicketProver.open(folder, { game, saltKeyOf: saltKeyFrom(seed) });
  const proofs: string[] = [];
  await prover.prove([1], (lines) => {
    proofs.push(lines);
    return Promise.resolve();
  });
  const commitment = await readFile(join(folder, COMMITMENT_FILE));
  const { block: name } = parseCommitment(commitment, COMMITMENT_FILE);
  const { identity, recipient } = await newAgeKey();
  return {
    ...{ name, commitment, content, identity },
    proof: Buffer.from(proofs.join('')),
    saltKey: encodeSaltKey(name, Buffer.alloc(32, 7)),
    encrypted: await encryptBytes(content, [recipient]),
  };
}
