import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { verifyBlockFromSeed } from '../block/verify-from-seed.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import {
  FINDING_CODES,
  SALE_FINDING_CODES,
  SEED_FINDING_CODES,
  SIGNATURE_FINDING_CODES,
} from './finding.js';
import type { VerifyReport } from './report.js';
import { verifyBlock } from './verify-block.js';
import { verifyTicketsFile } from './verify-file.js';

const ROOT = new URL('../../', import.meta.url);
const SCHEMA = JSON.parse(readFileSync(new URL('schemas/report.schema.json', ROOT), 'utf8')) as {
  readonly $defs: { readonly code: { readonly enum: readonly string[] } };
};
const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
const validate = new Ajv2020({ strict: true }).compile(SCHEMA);

const GAME = loadDefinitionFile(
  fileURLToPath(new URL('fixtures/definitions/eldorado-mini.json', ROOT)),
);
const SEED = Buffer.from('a report');
let outputFolder: string;
let folder: string;

beforeAll(async () => {
  outputFolder = mkdtempSync(join(tmpdir(), 'report-'));
  const block = { game: GAME, stakeCents: 200, engine: 'chacha20', emission: 1, block: 1 } as const;
  ({ folder } = await generateBlock({ ...block, seed: SEED }, { outputFolder }));
});

afterAll(() => {
  rmSync(outputFolder, { recursive: true });
});

/** The report as it is printed, held against its schema. */
function printed(report: VerifyReport): unknown {
  const value: unknown = JSON.parse(JSON.stringify(report));
  expect([validate(value), validate.errors]).toEqual([true, null]);
  return value;
}

describe('the JSON of a report fits its schema', () => {
  test('for a block that conforms, and says what it amounts to', async () => {
    expect(printed(await verifyBlock(folder, { game: GAME }))).toMatchObject({
      conforms: true,
      facts: { gameId: 'eldorado-mini', stakeCents: 200, engine: 'chacha20' },
      tickets: GAME.blockSize,
      salesCents: GAME.blockSize * 200,
      findings: [],
    });
  });

  test('for a bare file, which cannot say what block it is', async () => {
    const stake = GAME.stakes[2];
    if (stake === undefined) throw new Error('the game has three stakes');
    const path = join(folder, 'tickets.csv');
    const report = await verifyTicketsFile(path, { game: GAME, stake, format: 'csv' });
    expect(printed(report)).toMatchObject({ conforms: true, facts: { gameId: 'eldorado-mini' } });
    expect(report.facts).not.toHaveProperty('block');
    expect(report.notChecked).toHaveLength(2);
  });

  test('for a block with findings, with and without its seed', async () => {
    const path = join(folder, 'tickets.csv');
    const right = readFileSync(path);
    try {
      writeFileSync(
        path,
        right.toString().replace('\n7,', '\n77,').replace('\n9,0,,P', '\n9,0,,X'),
      );
      const plain = printed(await verifyBlock(folder, { game: GAME }));
      expect(plain).toMatchObject({ conforms: false });
      const withSeed = await verifyBlockFromSeed(folder, SEED, { game: GAME });
      expect(printed(withSeed)).toMatchObject({ conforms: false, notChecked: [] });
    } finally {
      writeFileSync(path, right);
    }
  });

  test('for a block whose manifest says nothing', async () => {
    const path = join(folder, 'manifest.json');
    const right = readFileSync(path);
    try {
      writeFileSync(path, '{');
      const report = await verifyBlock(folder, { game: GAME });
      expect(printed(report)).toMatchObject({ conforms: false, tickets: 0 });
      expect(printed(report)).not.toHaveProperty('facts');
    } finally {
      writeFileSync(path, right);
    }
  });
});

test('the schema and docs/findings.md list exactly the codes that there are', () => {
  const codes = [
    ...FINDING_CODES,
    ...SEED_FINDING_CODES,
    ...SIGNATURE_FINDING_CODES,
    ...SALE_FINDING_CODES,
  ];
  expect(SCHEMA.$defs.code.enum.toSorted()).toEqual(codes.toSorted());
  const page = readFileSync(new URL('docs/findings.md', ROOT), 'utf8');
  const documented = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(documented.toSorted()).toEqual(codes.toSorted());
});
