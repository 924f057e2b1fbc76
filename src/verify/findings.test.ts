import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseDefinition } from '../definitions/load-game.js';
import {
  encodeManifest,
  type Manifest,
  type ManifestFile,
  type ManifestOutcome,
} from '../formats/manifest.js';
import { nextEntry, parseRegistry, REGISTRY_FILE, registeredBlock } from '../formats/registry.js';
import { TICKET_FORMATS } from '../formats/ticket-formats.js';
import { newAgeKey, withEncryption } from '../testing/age-lab.js';
import {
  lettersIn,
  manifestText,
  textOf,
  ticketsBytes,
  ticketsOf,
  validBlock,
  withClaims,
  withCompression,
  withFile,
  withTicket,
  withTickets,
  writeBlock,
  type BlockCopy,
  type Ticket,
} from '../testing/broken-blocks.js';
import { sampleDefinition } from '../testing/sample-definitions.js';
import { folderMaker } from '../testing/sample-requests.js';
import { FINDING_CODES, type Finding, type FindingCode, type FindingPlace } from './finding.js';
import type { VerifyReport } from './report.js';
import { verifyBlock } from './verify-block.js';

/*
 * Each case takes a valid block, breaks one thing and names what must come out: the findings of one
 * code exactly, and the codes of the others that the same fault brings with it. The manifest of a
 * block whose tickets were changed is made to agree with them, so that it betrays nothing.
 */

const makeFolder = folderMaker();

let eldorado: BlockCopy;
let otherEldorado: BlockCopy;
let lagon: BlockCopy;
let encryptedLagon: BlockCopy;
let identity: string;

beforeAll(async () => {
  // With this seed the law still allows the losing tickets without EXTRA if one of them is lost.
  eldorado = await validBlock('eldorado-mini', { seed: 'four' });
  otherEldorado = await validBlock('eldorado-mini', { seed: 'another seed' });
  lagon = await validBlock('lagon-mini');
  const key = await newAgeKey();
  ({ identity } = key);
  encryptedLagon = await withEncryption(lagon, [key.recipient]);
});

/** A broken block, and what must be held against it. */
interface Broken {
  readonly block: BlockCopy;
  /** All findings of the code, up to the five that are kept. */
  readonly findings: readonly Finding[];
  /** The codes of the findings that come with it. */
  readonly beside?: readonly FindingCode[];
  /** What is done to the folder once the block has been written. */
  readonly prepare?: (folder: string) => void;
  /** The name of the folder, where it is not the one that the manifest asks for. */
  readonly name?: string;
  /** The game that the block is held against, where it is not its own. */
  readonly game?: BlockCopy['game'];
  /** What its files are opened with. */
  readonly identities?: readonly string[];
}

const covered = new Set<FindingCode>();

/** Registers the test of one fault. */
function breaks(code: FindingCode, fault: string, make: () => Broken): void {
  covered.add(code);
  test(`${fault} comes out as "${code}"`, async () => {
    const broken = make();
    const report = await verifyWritten(broken);
    expect(report.findings.filter((finding) => finding.code === code)).toEqual(broken.findings);
    const codes = report.findingCounts.map((count) => count.code);
    expect(codes.toSorted()).toEqual([code, ...(broken.beside ?? [])].toSorted());
    expect(report.conforms).toBe(false);
  });
}

async function verifyWritten({
  block,
  prepare,
  name,
  game,
  identities,
}: Broken): Promise<VerifyReport> {
  const folder = writeBlock(block, makeFolder(), name);
  prepare?.(folder);
  return verifyBlock(folder, { game: game ?? block.game, identities });
}

/** The first ticket that fits, by prize, number of grids, and combination. */
function findTicket(block: BlockCopy, wanted: Partial<Ticket> & { gridCount?: number }): Ticket {
  const { gridCount, ...fields } = wanted;
  const ticket = ticketsOf(block).find(
    (candidate) =>
      (gridCount === undefined || candidate.grids.length === gridCount) &&
      Object.entries(fields).every(([key, value]) => candidate[key as keyof Ticket] === value),
  );
  if (ticket === undefined) throw new Error(`no ticket has ${JSON.stringify(wanted)}`);
  return ticket;
}

/**
 * A losing ticket without EXTRA, or with a number of chosen symbols that is above its share, so that
 * the shares of the losing tickets stay right where it is lost.
 */
function plainLoser(block: BlockCopy): Ticket {
  const { game, manifest } = block;
  if (game.mechanic !== 'collect') return findTicket(block, { prize_cents: 0, gridCount: 1 });
  const losing = manifest.outcomes.filter(({ prize_cents }) => prize_cents === 0);
  const total = losing.reduce((sum, { count }) => sum + count, 0);
  const weights = game.policy.losingCounts;
  const totalWeight = weights.reduce((sum, { weight }) => sum + weight, 0);
  const spare = losing.find(({ chosen, count }) => {
    const weight = weights.find((law) => law.chosen === chosen)?.weight ?? 0;
    return count * totalWeight > total * weight;
  });
  const ticket = ticketsOf(block).find(
    ({ prize_cents, grids }) => prize_cents === 0 && lettersIn(grids[0]!, 'T') === spare?.chosen,
  );
  if (ticket === undefined) throw new Error('no losing ticket can be spared');
  return ticket;
}

/** The place of a line in one of the block's files. */
function linePlace(block: BlockCopy, name: string, line: number): FindingPlace {
  const bytes = block.files.get(name) ?? new Uint8Array();
  let byteOffset = 0;
  for (let before = 1; before < line; before += 1) byteOffset = bytes.indexOf(10, byteOffset) + 1;
  return { file: name, line, byteOffset };
}

/** The same finding against one ticket in both files: `row` and `grid` where they are known. */
function inBothFiles(
  block: BlockCopy,
  finding: Omit<Finding, 'place'> & { ticket: number; line?: number; grid?: number; row?: number },
): readonly Finding[] {
  const { ticket, line = ticket, grid, row, ...words } = finding;
  return TICKET_FORMATS.map((format) => {
    const place = linePlace(block, `tickets.${format}`, format === 'csv' ? line + 1 : line);
    const inTicket = {
      ...(grid === undefined ? {} : { grid }),
      ...(row === undefined ? {} : { row }),
    };
    return { ...words, place: { ...place, ticket, ...inTicket } };
  });
}

/** The same finding against both files as a whole. */
function againstBothFiles(finding: Omit<Finding, 'place'>): readonly Finding[] {
  return TICKET_FORMATS.map((format) => ({ ...finding, place: { file: `tickets.${format}` } }));
}

/** The block with one line of one file replaced; the text of the line without its LF. */
function withLine(block: BlockCopy, name: string, line: number, edit: (text: string) => string) {
  const lines = textOf(block.files.get(name)).split('\n');
  lines[line - 1] = edit(lines[line - 1]!);
  return withFile(block, name, lines.join('\n'));
}

/** The block with the entry of one of its files changed. */
function withFileClaim(block: BlockCopy, index: number, claim: Partial<ManifestFile>): BlockCopy {
  const files = block.manifest.files.map((file, at) =>
    at === index ? { ...file, ...claim } : file,
  );
  return withClaims(block, { files });
}

/** The block with a manifest of any form. */
function withManifestText(text: string | Uint8Array): (folder: string) => void {
  return (folder) => writeFileSync(join(folder, 'manifest.json'), text);
}

const MANIFEST = 'manifest.json';

describe('of the folder', () => {
  breaks('folder-name', 'a folder that was renamed', () => ({
    block: eldorado,
    name: 'eldorado-mini-100-e1-b2',
    findings: [
      {
        code: 'folder-name',
        place: { file: 'eldorado-mini-100-e1-b2' },
        expected: 'eldorado-mini-100-e1-b1',
        found: 'eldorado-mini-100-e1-b2',
      },
    ],
  }));

  breaks('file-missing', 'a tickets file that is not there', () => ({
    block: eldorado,
    prepare: (folder) => rmSync(join(folder, 'tickets.csv')),
    findings: [
      {
        code: 'file-missing',
        place: { file: 'tickets.csv' },
        expected: 'the file that the manifest names',
        found: 'none',
      },
    ],
  }));

  breaks('file-missing', 'a folder without any of its tickets files', () => ({
    block: eldorado,
    prepare: (folder) => {
      rmSync(join(folder, 'tickets.csv'));
      rmSync(join(folder, 'tickets.ndjson'));
    },
    findings: againstBothFiles({
      code: 'file-missing',
      expected: 'the file that the manifest names',
      found: 'none',
    }),
  }));

  breaks('file-missing', 'a symbolic link in place of a tickets file', () => ({
    block: eldorado,
    prepare: (folder) => {
      renameSync(join(folder, 'tickets.csv'), join(folder, '..', 'moved.csv'));
      symlinkSync('../moved.csv', join(folder, 'tickets.csv'));
    },
    findings: [
      {
        code: 'file-missing',
        place: { file: 'tickets.csv' },
        expected: 'the file that the manifest names',
        found: 'none',
      },
    ],
    beside: ['file-unexpected'],
  }));

  breaks('file-missing', 'a folder in place of a tickets file', () => ({
    block: eldorado,
    prepare: (folder) => {
      rmSync(join(folder, 'tickets.ndjson'));
      mkdirSync(join(folder, 'tickets.ndjson'));
    },
    findings: [
      {
        code: 'file-missing',
        place: { file: 'tickets.ndjson' },
        expected: 'the file that the manifest names',
        found: 'none',
      },
    ],
    beside: ['file-unexpected'],
  }));

  breaks('file-unexpected', 'anything else in the folder', () => ({
    block: eldorado,
    prepare: (folder) => {
      writeFileSync(join(folder, 'notes.txt'), '');
      writeFileSync(join(folder, 'tickets.ndjson.gz'), '');
      writeFileSync(join(folder, 'a\u001b[31m.txt'), '');
      mkdirSync(join(folder, 'more'));
    },
    findings: ['a\\u{1b}[31m.txt', 'more', 'notes.txt', 'tickets.ndjson.gz'].map((file) => ({
      code: 'file-unexpected',
      place: { file },
      expected: 'only the files of the manifest and signatures',
      found: file,
    })),
  }));

  breaks('file-compression', 'a compressed file that is cut short', () => ({
    block: withCompression(eldorado),
    prepare: (folder) => {
      const path = join(folder, 'tickets.csv.gz');
      truncateSync(path, statSync(path).size - 1);
    },
    findings: [
      {
        code: 'file-compression',
        place: { file: 'tickets.csv.gz' },
        expected: 'one whole gzip member and nothing else',
        found: 'the end of the file within it',
      },
    ],
  }));

  breaks('file-compression', 'two compressed files of which nothing can be read', () => ({
    block: withCompression(lagon),
    prepare: (folder) => {
      for (const format of TICKET_FORMATS) {
        writeFileSync(join(folder, `tickets.${format}.gz`), ticketsBytes(lagon, format));
      }
    },
    findings: TICKET_FORMATS.map((format) => ({
      code: 'file-compression',
      place: { file: `tickets.${format}.gz` },
      expected: 'one whole gzip member and nothing else',
      found: 'no gzip header',
    })),
  }));

  breaks('file-encryption', 'an encrypted file with one bit changed', () => ({
    block: encryptedLagon,
    identities: [identity],
    prepare: (folder) => {
      const path = join(folder, 'tickets.csv.age');
      const bytes = readFileSync(path);
      bytes[70_000]! ^= 1;
      writeFileSync(path, bytes);
    },
    findings: [
      {
        code: 'file-encryption',
        place: { file: 'tickets.csv.age' },
        expected: 'one whole age file and nothing else',
        found: 'damaged data in chunk 2',
      },
    ],
  }));

  breaks('file-encrypted', 'an encrypted block without an identity', () => ({
    block: encryptedLagon,
    findings: TICKET_FORMATS.map((format) => ({
      code: 'file-encrypted',
      place: { file: `tickets.${format}.age` },
      expected: 'an identity that opens it',
      found:
        'an encrypted file, and no identity; contents not checked: give an identity with --identity',
    })),
  }));

  breaks('file-unexpected', 'the file beside its compressed form', () => ({
    block: withCompression(lagon),
    prepare: (folder) => {
      writeFileSync(join(folder, 'tickets.csv'), ticketsBytes(lagon, 'csv'));
    },
    findings: [
      {
        code: 'file-unexpected',
        place: { file: 'tickets.csv' },
        expected: 'only the files of the manifest and signatures',
        found: 'tickets.csv',
      },
    ],
  }));

  breaks('file-hash', 'a compressed file with another content of the same length', () => {
    const right = textOf(ticketsBytes(lagon, 'csv'));
    const [, end = ''] = /(.)\n$/.exec(right) ?? [];
    const other = Buffer.from(right.slice(0, -2) + (end === 'C' ? 'E' : 'C') + '\n');
    const claim = lagon.manifest.files[1]!;
    return {
      block: withCompression(lagon),
      prepare: (folder) => writeFileSync(join(folder, 'tickets.csv.gz'), gzipSync(other)),
      findings: [
        {
          code: 'file-hash',
          place: { file: 'tickets.csv.gz' },
          expected: claim.sha256,
          found: createHash('sha256').update(other).digest('hex'),
        },
      ],
      beside: ['formats-differ'],
    };
  });

  breaks('file-unexpected', 'a tickets file that the manifest does not name', () => ({
    block: withClaims(eldorado, { files: eldorado.manifest.files.slice(0, 1) }),
    findings: [
      {
        code: 'file-unexpected',
        place: { file: 'tickets.csv' },
        expected: 'only the files of the manifest and signatures',
        found: 'tickets.csv',
      },
    ],
  }));

  breaks('file-unexpected', 'a symbolic link in place of the manifest or of a signature', () => ({
    block: eldorado,
    prepare: (folder) => {
      renameSync(join(folder, MANIFEST), join(folder, '..', MANIFEST));
      symlinkSync(`../${MANIFEST}`, join(folder, MANIFEST));
      symlinkSync(`../${MANIFEST}`, join(folder, `${MANIFEST}.0123456789abcdef.sig`));
    },
    findings: [MANIFEST, `${MANIFEST}.0123456789abcdef.sig`].map((file) => ({
      code: 'file-unexpected',
      place: { file },
      expected: 'a regular file',
      found: 'something else under its name',
    })),
  }));

  test('nothing comes out for detached signatures beside the files', async () => {
    const report = await verifyWritten({
      block: eldorado,
      findings: [],
      prepare: (folder) => {
        writeFileSync(join(folder, 'manifest.json.0123456789abcdef.sig'), '');
        writeFileSync(join(folder, 'commitment.json.fedcba9876543210.sig'), '');
        // A run that was killed in the middle of signing.
        const unfinished = `manifest.json.0123456789abcdef.sig.new-77t2-0123456789ab-${'a'.repeat(32)}`;
        writeFileSync(join(folder, unfinished), '');
      },
    });
    expect(report.findings).toEqual([]);
  });
});

describe('of the files as the manifest states them', () => {
  breaks('file-size', 'a file of another size', () => ({
    block: withFileClaim(eldorado, 1, { bytes: eldorado.manifest.files[1]!.bytes + 1 }),
    findings: [
      {
        code: 'file-size',
        place: { file: 'tickets.csv' },
        expected: String(eldorado.manifest.files[1]!.bytes + 1),
        found: String(eldorado.manifest.files[1]!.bytes),
      },
    ],
  }));

  breaks('file-records', 'a file of another number of records', () => ({
    block: withFileClaim(eldorado, 0, { records: 9001 }),
    findings: [
      {
        code: 'file-records',
        place: { file: 'tickets.ndjson' },
        expected: '9001',
        found: '9000',
      },
    ],
  }));

  breaks('file-hash', 'a file of another hash', () => ({
    block: withFileClaim(lagon, 0, { sha256: 'a'.repeat(64) }),
    findings: [
      {
        code: 'file-hash',
        place: { file: 'tickets.ndjson' },
        expected: 'a'.repeat(64),
        found: lagon.manifest.files[0]!.sha256,
      },
    ],
  }));

  breaks('file-hash', 'two tickets exchanged with their numbers put right, in both files,', () => {
    const tickets = [...ticketsOf(eldorado)];
    const [first, last] = [tickets[0]!, tickets.at(-1)!];
    tickets[0] = { ...last, ticket: 1 };
    tickets[tickets.length - 1] = { ...first, ticket: 9000 };
    const exchanged = withTickets(eldorado, tickets);
    const files = exchanged.manifest.files.map(({ bytes }, index) => ({
      ...eldorado.manifest.files[index]!,
      bytes,
    }));
    return {
      block: withClaims(exchanged, { files }),
      findings: files.map(({ name, sha256 }, index) => ({
        code: 'file-hash',
        place: { file: name },
        expected: sha256,
        found: exchanged.manifest.files[index]!.sha256,
      })),
    };
  });

  test('two tickets exchanged with their numbers put right leave a valid block where the manifest is made again', async () => {
    const [first, second, ...rest] = ticketsOf(eldorado);
    const block = withTickets(eldorado, [
      { ...second!, ticket: 1 },
      { ...first!, ticket: 2 },
      ...rest,
    ]);
    expect(block.manifest.files[0]!.sha256).not.toBe(eldorado.manifest.files[0]!.sha256);
    const report = await verifyWritten({ block, findings: [] });
    expect(report.conforms).toBe(true);
    expect(report.notChecked).toEqual([
      expect.stringContaining('order of the tickets'),
      'the registry: none lies beside the block',
    ]);
  });

  breaks('formats-differ', 'the CSV file of another valid block under its right hash', () => ({
    block: withFile(eldorado, 'tickets.csv', ticketsBytes(otherEldorado, 'csv')),
    findings: [
      {
        code: 'formats-differ',
        place: { file: 'tickets.csv' },
        expected: 'the same symbols as in tickets.ndjson',
        found: 'other tickets',
      },
    ],
  }));

  breaks('formats-differ', 'one letter that does not matter, in one of the formats,', () => {
    const { ticket, grids } = plainLoser(lagon);
    const [rows] = grids;
    const [from, to] = rows!.join().includes('C') ? ['C', 'N'] : ['N', 'C'];
    const edit = (text: string): string =>
      text.replace(new RegExp(`([/,])([A-Z]*)${from}`), `$1$2${to}`);
    return {
      block: withLine(lagon, 'tickets.csv', ticket + 1, edit),
      findings: [
        {
          code: 'formats-differ',
          place: { file: 'tickets.csv' },
          expected: 'the same symbols as in tickets.ndjson',
          found: 'other tickets',
        },
      ],
    };
  });

  breaks('file-hash', 'the tickets files of another block of the same game', () => ({
    block: { ...eldorado, files: otherEldorado.files },
    findings: [0, 1].map((index) => ({
      code: 'file-hash',
      place: { file: eldorado.manifest.files[index]!.name },
      expected: eldorado.manifest.files[index]!.sha256,
      found: otherEldorado.manifest.files[index]!.sha256,
    })),
    beside: ['file-size', 'manifest-outcomes'],
  }));

  breaks('file-hash', 'one tickets file of another block of the same game', () => ({
    block: {
      ...eldorado,
      files: new Map([...eldorado.files, ['tickets.csv', ticketsBytes(otherEldorado, 'csv')]]),
    },
    findings: [
      {
        code: 'file-hash',
        place: { file: 'tickets.csv' },
        expected: eldorado.manifest.files[1]!.sha256,
        found: otherEldorado.manifest.files[1]!.sha256,
      },
    ],
    beside: ['file-size', 'formats-differ'],
  }));
});

describe('of the manifest', () => {
  const unreadable = (place: object, found: string): Finding => ({
    code: 'manifest-syntax',
    place: { file: MANIFEST, ...place },
    expected: 'strict JSON',
    found,
  });

  breaks('manifest-syntax', 'a manifest that is not JSON', () => ({
    block: eldorado,
    prepare: withManifestText('tickets: 9000\n'),
    findings: [unreadable({}, 'manifest.json:1:1: this is not JSON; correct the text there')],
  }));

  breaks('manifest-syntax', 'an empty manifest', () => ({
    block: eldorado,
    prepare: withManifestText(''),
    findings: [unreadable({}, 'manifest.json:1:1: a value was expected; correct the text there')],
  }));

  breaks('manifest-syntax', 'a key of the manifest that stands twice', () => ({
    block: eldorado,
    prepare: withManifestText(
      manifestText(eldorado.manifest).replace('"block":1', '"block":1,"block":1'),
    ),
    findings: [
      unreadable(
        {},
        expect.stringMatching(
          /^manifest\.json:1:\d+: the same key stands here twice, at \/block;/,
        ) as unknown as string,
      ),
    ],
  }));

  breaks('manifest-syntax', 'a manifest with a byte order mark', () => ({
    block: eldorado,
    prepare: withManifestText(`\uFEFF${manifestText(eldorado.manifest)}`),
    findings: [
      unreadable(
        {},
        'manifest.json: the text begins with a byte order mark; save it as UTF-8 without one',
      ),
    ],
  }));

  breaks('manifest-syntax', 'a manifest of more than 8 MiB', () => ({
    block: eldorado,
    prepare: withManifestText(`{"format":"${'x'.repeat(8 * 1024 * 1024)}"}`),
    findings: [
      unreadable(
        {},
        'manifest.json: the text is longer than 8,388,608 bytes; check that it is the right file',
      ),
    ],
  }));

  const badField = (pointer: string, expected: string, found: string): Finding => ({
    code: 'manifest-schema',
    place: { file: MANIFEST, pointer },
    expected,
    found,
  });

  breaks('manifest-schema', 'a manifest that is no object', () => ({
    block: eldorado,
    prepare: withManifestText('[]\n'),
    findings: [badField('', 'an object', 'a list of 0')],
  }));

  breaks('manifest-schema', 'a number of the manifest as text', () => ({
    block: withClaims(eldorado, { emission: '1' as unknown as number }),
    findings: [badField('/emission', 'a whole number', '"1"')],
  }));

  breaks(
    'manifest-schema',
    'a manifest without the number of tickets, whose tickets are read all the same,',
    () => ({
      block: withClaims(withTicket(eldorado, 1, { combination: '4X' }), {
        tickets: undefined as unknown as number,
      }),
      findings: [badField('/tickets', 'this field', 'nothing')],
      beside: ['combination'],
    }),
  );

  breaks('manifest-schema', 'another version of the manifest', () => ({
    block: withClaims(eldorado, {
      format: 'gen-block-manifest/2' as Manifest['format'],
    }),
    findings: [badField('/format', '"gen-block-manifest/1"', '"gen-block-manifest/2"')],
  }));

  breaks('manifest-schema', 'the files of the manifest in another order', () => ({
    block: withClaims(eldorado, { files: eldorado.manifest.files.toReversed() }),
    findings: [
      badField(
        '/files',
        'a list of files, each format once, under its own name, all compressed alike or none',
        'other files',
      ),
    ],
  }));

  breaks('manifest-schema', 'a list of the manifest that is far too long', () => ({
    block: eldorado,
    prepare: withManifestText(
      manifestText({ ...eldorado.manifest, outcomes: new Array<number>(70_000).fill(0) }),
    ),
    findings: [badField('/outcomes', 'at most 65536 in the list', 'a list of 70000')],
  }));

  const otherBytes = (pointer: string, expected: string, found: string): Finding => ({
    code: 'manifest-bytes',
    place: { file: MANIFEST, pointer },
    expected,
    found,
  });
  const NOT_CANONICAL = otherBytes(
    '',
    'one line of JSON without spaces, and LF',
    'other white space, escapes or line ends',
  );

  breaks('manifest-bytes', 'a manifest with spaces', () => ({
    block: eldorado,
    prepare: withManifestText(`${JSON.stringify(eldorado.manifest, undefined, 1)}\n`),
    findings: [NOT_CANONICAL],
  }));

  breaks('manifest-bytes', 'a manifest without a final LF', () => ({
    block: eldorado,
    prepare: withManifestText(JSON.stringify(eldorado.manifest)),
    findings: [NOT_CANONICAL],
  }));

  breaks('manifest-bytes', 'a manifest with CR LF', () => ({
    block: eldorado,
    prepare: withManifestText(`${JSON.stringify(eldorado.manifest)}\r\n`),
    findings: [NOT_CANONICAL],
  }));

  breaks('manifest-bytes', 'an escaped letter in the manifest', () => ({
    block: eldorado,
    prepare: withManifestText(
      manifestText(eldorado.manifest).replace('"engine"', '"\\u0065ngine"'),
    ),
    findings: [NOT_CANONICAL],
  }));

  breaks('manifest-bytes', 'a manifest whose keys stand in another order', () => {
    const { format, algorithm, ...rest } = eldorado.manifest;
    const [first, ...tiers] = eldorado.manifest.tiers;
    const swapped = { count: first!.count, prize_cents: first!.prize_cents };
    const keys = Object.keys(eldorado.manifest).join();
    return {
      block: eldorado,
      prepare: withManifestText(
        manifestText({ algorithm, format, ...rest, tiers: [swapped, ...tiers] }),
      ),
      findings: [
        otherBytes(
          '',
          `the keys in the order ${keys}`,
          keys.replace('format,algorithm', 'algorithm,format'),
        ),
        otherBytes('/tiers/0', 'the keys in the order prize_cents,count', 'count,prize_cents'),
      ],
    };
  });

  test('nothing comes out for keys that are not known, wherever they stand', async () => {
    const { manifest } = eldorado;
    const more = { later: [1, { deep: null }] };
    const block = withClaims(eldorado, {
      ...{ extensions: more },
      symbols: manifest.symbols.map((symbol) => ({ ...more, ...symbol })),
      tiers: manifest.tiers.map((tier) => ({ ...tier, ...more })),
      outcomes: manifest.outcomes.map((outcome) => ({ ...outcome, ...more })),
      files: manifest.files.map((file) => ({ ...file, stored_bytes: 5 })),
    });
    const report = await verifyWritten({ block, findings: [] });
    expect([report.findings, report.conforms]).toEqual([[], true]);
  });

  breaks('manifest-definition', 'the hash of another definition', () => ({
    block: withClaims(eldorado, { definition_sha256: 'a'.repeat(64) }),
    findings: [
      {
        code: 'manifest-definition',
        place: { file: MANIFEST, pointer: '/definition_sha256' },
        expected: eldorado.game.definitionSha256,
        found: 'a'.repeat(64),
      },
    ],
  }));

  breaks('manifest-definition', 'a definition that was changed since the block was made', () => {
    const newer = sampleDefinition('eldorado-mini', ['/name', 'Eldorado mini 2']);
    const game = parseDefinition(JSON.stringify(newer), 'newer.json');
    return {
      block: eldorado,
      game,
      findings: [
        {
          code: 'manifest-definition',
          place: { file: MANIFEST, pointer: '/definition_sha256' },
          expected: game.definitionSha256,
          found: eldorado.game.definitionSha256,
        },
      ],
    };
  });

  const claim = (pointer: string, expected: unknown, found: unknown): Finding => ({
    code: 'manifest-claim',
    place: { file: MANIFEST, pointer },
    expected: JSON.stringify(expected),
    found: found === undefined ? 'nothing' : JSON.stringify(found),
  });

  breaks('manifest-claim', 'another version of the algorithm', () => ({
    block: withClaims(eldorado, { algorithm: 2 }),
    findings: [claim('/algorithm', 1, 2)],
  }));

  breaks('manifest-claim', 'another number of tickets', () => ({
    block: withClaims(eldorado, { tickets: 9001 }),
    findings: [claim('/tickets', 9000, 9001)],
  }));

  breaks('manifest-claim', 'a symbol of another name, role or code', () => {
    const [first, second, third, ...rest] = eldorado.manifest.symbols;
    const symbols = [
      { ...first!, id: 'pyramid' },
      { ...second!, role: 'trigger' as const },
      { ...third!, code: 'Z' },
      ...rest,
    ];
    return {
      block: withClaims(eldorado, { symbols }),
      findings: [0, 1, 2].map((index) =>
        claim(`/symbols/${index}`, eldorado.manifest.symbols[index], symbols[index]),
      ),
    };
  });

  breaks('manifest-claim', 'symbols that are not all listed', () => ({
    block: withClaims(lagon, { symbols: lagon.manifest.symbols.slice(0, -1) }),
    findings: [claim('/symbols/6', lagon.manifest.symbols[6], undefined)],
  }));

  breaks('manifest-claim', 'a tier of another prize or count', () => {
    const [first, second, ...rest] = lagon.manifest.tiers;
    const tiers = [{ ...first!, prize_cents: 500_001 }, { ...second!, count: 2 }, ...rest];
    return {
      block: withClaims(lagon, { tiers }),
      findings: [0, 1].map((index) =>
        claim(`/tiers/${index}`, lagon.manifest.tiers[index], tiers[index]),
      ),
    };
  });

  breaks('manifest-claim', 'a stake that the game does not have', () => ({
    block: withClaims(eldorado, { stake_cents: 300 }),
    findings: [
      {
        code: 'manifest-claim',
        place: { file: MANIFEST, pointer: '/stake_cents' },
        expected: 'eldorado-mini at a stake of 50 or 100 or 200 cents',
        found: 'eldorado-mini at 300 cents',
      },
    ],
  }));

  breaks('manifest-claim', 'another game than the one that it is held against', () => ({
    block: withClaims(eldorado, { game: 'lagon-mini' }),
    findings: [
      {
        code: 'manifest-claim',
        place: { file: MANIFEST, pointer: '/game' },
        expected: 'eldorado-mini at a stake of 50 or 100 or 200 cents',
        found: 'lagon-mini at 100 cents',
      },
    ],
  }));

  breaks('prize', 'the stake of another price', () => {
    const wins = ticketsOf(eldorado).filter(({ prize_cents }) => prize_cents > 0);
    const block = withClaims(eldorado, { stake_cents: 200 });
    return {
      block,
      name: 'eldorado-mini-200-e1-b1',
      findings: wins.slice(0, 5).map(({ ticket, prize_cents }) => ({
        code: 'prize',
        place: { ...linePlace(eldorado, 'tickets.ndjson', ticket), ticket },
        expected: `${2 * prize_cents} cents by its symbols`,
        found: `${prize_cents} cents`,
      })),
      beside: ['manifest-claim', 'manifest-outcomes'],
    };
  });

  breaks('folder-name', 'another emission or block', () => ({
    block: withClaims(eldorado, { emission: 7, block: 12 }),
    name: 'eldorado-mini-100-e1-b1',
    findings: [
      {
        code: 'folder-name',
        place: { file: 'eldorado-mini-100-e1-b1' },
        expected: 'eldorado-mini-100-e7-b12',
        found: 'eldorado-mini-100-e1-b1',
      },
    ],
  }));

  test('another tool version, engine or commitment cannot be told without the seed, and that is said', async () => {
    const block = withClaims(eldorado, {
      tool_version: '9.9.9',
      engine: 'chacha20',
      seed_commitment: 'c'.repeat(64),
    });
    const report = await verifyWritten({ block, findings: [] });
    expect(report).toMatchObject({
      conforms: true,
      facts: { engine: 'chacha20', seedCommitment: 'c'.repeat(64) },
      notChecked: [
        'that the order of the tickets comes from the stated engine and the committed seed: only `verify` with the seed can tell',
        'the registry: none lies beside the block',
      ],
    });
  });

  const outcome = (index: number, expected: unknown, found: unknown): Finding => ({
    code: 'manifest-outcomes',
    place: { file: MANIFEST, pointer: `/outcomes/${index}` },
    expected: expected === undefined ? 'nothing' : JSON.stringify(expected),
    found: found === undefined ? 'nothing' : JSON.stringify(found),
  });

  breaks('manifest-outcomes', 'a ticket moved from one outcome to another', () => {
    const right = lagon.manifest.outcomes;
    const outcomes = right.map((entry, index) => ({
      ...entry,
      count: entry.count + (index === 7 ? 1 : 0) - (index === 8 ? 1 : 0),
    }));
    return {
      block: withClaims(lagon, { outcomes }),
      findings: [7, 8].map((index) => outcome(index, right[index], outcomes[index])),
    };
  });

  breaks('manifest-outcomes', 'an outcome that no ticket has', () => {
    const more: ManifestOutcome = { prize_cents: 0, combination: '', chosen: 4, count: 1 };
    return {
      block: withClaims(lagon, { outcomes: [...lagon.manifest.outcomes, more] }),
      findings: [outcome(lagon.manifest.outcomes.length, undefined, more)],
    };
  });

  breaks('manifest-outcomes', 'an outcome that is not listed', () => {
    const right = lagon.manifest.outcomes;
    return {
      block: withClaims(lagon, { outcomes: right.slice(0, -1) }),
      findings: [outcome(right.length - 1, right.at(-1), undefined)],
    };
  });

  breaks('manifest-outcomes', 'outcomes in another order', () => {
    const [first, second, ...rest] = lagon.manifest.outcomes;
    return {
      block: withClaims(lagon, { outcomes: [second!, first!, ...rest] }),
      findings: [outcome(0, first, second), outcome(1, second, first)],
    };
  });

  breaks('manifest-outcomes', 'the feature of the other mechanic', () => {
    const [first, ...rest] = lagon.manifest.outcomes;
    const { prize_cents, combination, count } = first!;
    return {
      block: withClaims(lagon, {
        outcomes: [{ prize_cents, combination, extra_stages: 10, count }, ...rest],
      }),
      findings: [outcome(0, first, { prize_cents, combination, count })],
    };
  });
});

describe('of the bytes of a tickets file', () => {
  /** The findings of a fault in the line of a ticket whose number could be read. */
  const inNdjson = (
    block: BlockCopy,
    ticket: number,
    finding: Omit<Finding, 'place'>,
  ): Finding => ({
    ...finding,
    place: { ...linePlace(block, 'tickets.ndjson', ticket), ticket },
  });

  /** The findings of a fault in the line of a ticket that could not be read. */
  const unreadIn = (
    block: BlockCopy,
    name: string,
    line: number,
    finding: Omit<Finding, 'place'>,
  ) => ({
    ...finding,
    place: linePlace(block, name, line),
  });

  breaks('byte-order-mark', 'a byte order mark before the first record', () => ({
    block: withFile(
      eldorado,
      'tickets.ndjson',
      `\u00ef\u00bb\u00bf${textOf(ticketsBytes(eldorado, 'ndjson'))}`,
    ),
    findings: [
      {
        code: 'byte-order-mark',
        place: { file: 'tickets.ndjson', line: 1, byteOffset: 0, ticket: 1 },
        expected: 'no byte order mark',
        found: 'EF BB BF',
      },
    ],
  }));

  breaks('byte-order-mark', 'a byte order mark before the header', () => ({
    block: withFile(
      eldorado,
      'tickets.csv',
      `\u00ef\u00bb\u00bf${textOf(ticketsBytes(eldorado, 'csv'))}`,
    ),
    findings: [
      {
        code: 'byte-order-mark',
        place: { file: 'tickets.csv', line: 1, byteOffset: 0 },
        expected: 'no byte order mark',
        found: 'EF BB BF',
      },
    ],
  }));

  breaks('encoding', 'a byte that is no UTF-8', () => {
    const { ticket } = plainLoser(eldorado);
    const block = withLine(eldorado, 'tickets.ndjson', ticket, (text) =>
      text.replace('[["', '[["\u00ff'),
    );
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.ndjson', ticket, {
          code: 'encoding',
          expected: 'UTF-8',
          found: 'bytes that are no UTF-8',
        }),
      ],
      beside: ['ticket-missing', 'manifest-outcomes'],
    };
  });

  breaks('line-ending', 'a file with CR LF', () => {
    const text = textOf(ticketsBytes(eldorado, 'ndjson')).replaceAll('\n', '\r\n');
    const block = withFile(eldorado, 'tickets.ndjson', text);
    return {
      block,
      findings: [1, 2, 3, 4, 5].map((ticket) =>
        inNdjson(block, ticket, { code: 'line-ending', expected: 'LF', found: 'CR LF' }),
      ),
    };
  });

  breaks('line-ending', 'a header with CR LF', () => {
    const text = textOf(ticketsBytes(lagon, 'csv')).replace('\n', '\r\n');
    const block = withFile(lagon, 'tickets.csv', text);
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.csv', 1, { code: 'line-ending', expected: 'LF', found: 'CR LF' }),
      ],
    };
  });

  breaks('line-length', 'a line of some MB', () => {
    const { ticket } = plainLoser(eldorado);
    const long = (text: string): string => text.replace('[["', `[[${' '.repeat(3_000_000)}"`);
    const block = withLine(eldorado, 'tickets.ndjson', ticket, long);
    const line = textOf(ticketsBytes(eldorado, 'ndjson')).split('\n')[ticket - 1]!;
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.ndjson', ticket, {
          code: 'line-length',
          expected: 'at most 65535 bytes before the LF',
          found: `${line.length + 3_000_000} bytes`,
        }),
      ],
      beside: ['ticket-missing', 'manifest-outcomes'],
    };
  });

  breaks('blank-line', 'blank lines, at the end and in between,', () => {
    const text = textOf(ticketsBytes(eldorado, 'csv')).replace('\n7,', '\n\n7,');
    const block = withFile(eldorado, 'tickets.csv', `${text}\n`);
    return {
      block,
      findings: [8, 9003].map((line) =>
        unreadIn(block, 'tickets.csv', line, {
          code: 'blank-line',
          expected: 'a record',
          found: 'an empty line',
        }),
      ),
    };
  });

  breaks('final-newline', 'a file without its final LF', () => {
    const block = withFile(lagon, 'tickets.csv', textOf(ticketsBytes(lagon, 'csv')).slice(0, -1));
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.csv', 8001, {
          code: 'final-newline',
          expected: 'LF at the end',
          found: 'none',
        }),
      ],
    };
  });

  breaks('csv-header', 'a column of the header renamed', () => {
    const text = textOf(ticketsBytes(lagon, 'csv')).replace('prize_cents', 'prize');
    return {
      block: withFile(lagon, 'tickets.csv', text),
      findings: [
        {
          code: 'csv-header',
          place: { file: 'tickets.csv', line: 1, byteOffset: 0 },
          expected: 'ticket,prize_cents,combination,grids',
          found: 'ticket,prize,combination,grids',
        },
      ],
    };
  });

  breaks('csv-header', 'a file without its header', () => {
    const [, ...lines] = textOf(ticketsBytes(lagon, 'csv')).split('\n');
    return {
      block: withFile(lagon, 'tickets.csv', lines.join('\n')),
      findings: [
        {
          code: 'csv-header',
          place: { file: 'tickets.csv', line: 1, byteOffset: 0 },
          expected: 'ticket,prize_cents,combination,grids',
          found: lines[0]!,
        },
      ],
      beside: ['file-records', 'ticket-count', 'ticket-missing', 'feature-quota'],
    };
  });

  const editOfLoser = (edit: (text: string) => string, name = 'tickets.ndjson') => {
    const { ticket } = plainLoser(eldorado);
    const line = name.endsWith('csv') ? ticket + 1 : ticket;
    return { ticket, line, block: withLine(eldorado, name, line, edit) };
  };

  breaks('record-syntax', 'a line that is not JSON', () => {
    const { block, line } = editOfLoser((text) => text.slice(1));
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.ndjson', line, {
          code: 'record-syntax',
          expected: 'one JSON object',
          found: textOf(ticketsBytes(eldorado, 'ndjson')).split('\n')[line - 1]!.slice(1),
        }),
      ],
      beside: ['ticket-missing', 'manifest-outcomes'],
    };
  });

  breaks('record-syntax', 'a line that is a JSON list', () => {
    const { block, line } = editOfLoser(() => '[1,2]');
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.ndjson', line, {
          code: 'record-syntax',
          expected: 'a JSON object',
          found: '[1,2]',
        }),
      ],
      beside: ['ticket-missing', 'manifest-outcomes'],
    };
  });

  breaks('record-syntax', 'a NUL in a JSON string', () => {
    const { block, line } = editOfLoser(() => '{"ticket":"\0"}');
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.ndjson', line, {
          code: 'record-syntax',
          expected: 'one JSON object',
          found: '{"ticket":"\\u{0}"}',
        }),
      ],
      beside: ['ticket-missing', 'manifest-outcomes'],
    };
  });

  breaks('record-syntax', 'an extra column', () => {
    const { block, line } = editOfLoser(() => '1,0,,PSVBD,5', 'tickets.csv');
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.csv', line, {
          code: 'record-syntax',
          expected: 'four columns',
          found: '5 columns: 1,0,,PSVBD,5',
        }),
      ],
      beside: ['ticket-missing'],
    };
  });

  breaks('record-keys', 'keys in another order', () => {
    const { block, ticket } = editOfLoser((text) =>
      text.replace(/("ticket":\d+),("prize_cents":\d+)/, '$2,$1'),
    );
    return {
      block,
      findings: [
        inNdjson(block, ticket, {
          code: 'record-keys',
          expected: 'ticket,prize_cents,combination,grids',
          found: 'prize_cents,ticket,combination,grids',
        }),
      ],
    };
  });

  breaks('record-keys', 'a key that stands twice', () => {
    const { block, ticket } = editOfLoser((text) => text.replace('{', '{"prize_cents":100,'));
    return {
      block,
      findings: [
        inNdjson(block, ticket, {
          code: 'record-keys',
          expected: 'ticket,prize_cents,combination,grids',
          found: 'prize_cents,ticket,combination,grids',
        }),
      ],
    };
  });

  breaks('record-keys', 'a key that stands twice with the order kept', () => {
    const { block, ticket } = editOfLoser((text) =>
      text.replace('"combination"', '"prize_cents":0,"combination"'),
    );
    return {
      block,
      findings: [
        inNdjson(block, ticket, {
          code: 'record-keys',
          expected: 'each key once',
          found: expect.stringMatching(
            /^record:1:\d+: the same key stands here twice, at \/prize_cents;/,
          ) as unknown as string,
        }),
      ],
    };
  });

  breaks('record-keys', 'a key that is not known', () => {
    const { block, ticket } = editOfLoser((text) => text.replace('}', ',"\\u202e":1}'));
    return {
      block,
      findings: [
        inNdjson(block, ticket, {
          code: 'record-keys',
          expected: 'ticket,prize_cents,combination,grids',
          found: 'ticket,prize_cents,combination,grids,\\u{202e}',
        }),
      ],
    };
  });

  breaks('record-type', 'a number as text', () => {
    const { block, line } = editOfLoser((text) => text.replace(/"ticket":(\d+)/, '"ticket":"$1"'));
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.ndjson', line, {
          code: 'record-type',
          expected: 'ticket: an integer',
          found: `"${line}"`,
        }),
      ],
      beside: ['ticket-missing', 'manifest-outcomes'],
    };
  });

  breaks('record-type', 'a number with a leading zero in the CSV', () => {
    const { block, line, ticket } = editOfLoser((text) => `0${text}`, 'tickets.csv');
    return {
      block,
      findings: [
        unreadIn(block, 'tickets.csv', line, {
          code: 'record-type',
          expected: 'ticket: a whole number',
          found: `0${ticket}`,
        }),
      ],
      beside: ['ticket-missing'],
    };
  });

  breaks('record-bytes', 'a space where none belongs', () => {
    const { block, ticket } = editOfLoser((text) => text.replace(':', ': '));
    const right = textOf(ticketsBytes(eldorado, 'ndjson')).split('\n')[ticket - 1]!;
    return {
      block,
      findings: [
        inNdjson(block, ticket, {
          code: 'record-bytes',
          expected: `${right.slice(0, 60)}…`,
          found: `${right.replace(':', ': ').slice(0, 60)}…`,
        }),
      ],
    };
  });

  breaks('record-bytes', 'a quoted field in the CSV', () => {
    const { block, line, ticket } = editOfLoser(
      (text) => text.replace(',0,', ',"0",'),
      'tickets.csv',
    );
    const { grids } = plainLoser(eldorado);
    const right = `${ticket},0,,${grids[0]!.join('/')}`;
    return {
      block,
      findings: [
        {
          code: 'record-bytes',
          place: { ...linePlace(block, 'tickets.csv', line), ticket },
          expected: right,
          found: right.replace(',0,', ',"0",'),
        },
      ],
    };
  });
});

describe('of the ticket numbers', () => {
  breaks('ticket-order', 'two lines exchanged with their numbers', () => {
    const tickets = [...ticketsOf(eldorado)];
    [tickets[4], tickets[5]] = [tickets[5]!, tickets[4]!];
    const block = withTickets(eldorado, tickets);
    return {
      block,
      findings: [
        ...inBothFiles(block, {
          code: 'ticket-order',
          ticket: 6,
          line: 5,
          expected: 'ticket 5',
          found: 'ticket 6',
        }),
        ...inBothFiles(block, {
          code: 'ticket-order',
          ticket: 5,
          line: 6,
          expected: 'ticket 7',
          found: 'ticket 5',
        }),
      ].toSorted((a, b) => (a.place.file! > b.place.file! ? -1 : 1)),
    };
  });

  breaks(
    'ticket-repeated',
    'a ticket that stands in the place of another with the totals still right',
    () => {
      const twins = ticketsOf(eldorado).filter(({ combination }) => combination === '4D');
      const [first, second] = [
        twins[0]!,
        twins.find(
          ({ grids }) => grids.length === twins[0]!.grids.length && grids !== twins[0]!.grids,
        )!,
      ];
      const tickets = ticketsOf(eldorado).map((ticket) =>
        ticket.ticket === second.ticket ? first : ticket,
      );
      const block = withTickets(eldorado, tickets);
      return {
        block,
        findings: inBothFiles(block, {
          code: 'ticket-repeated',
          ticket: first.ticket,
          line: second.ticket,
          expected: 'each ticket once',
          found: `ticket ${first.ticket}`,
        }),
        beside: ['ticket-missing'],
      };
    },
  );

  breaks('ticket-missing', 'a run of tickets that is not there', () => {
    const tickets = ticketsOf(lagon).filter(({ ticket }) => ticket < 1200 || ticket > 2399);
    const block = withTickets(lagon, tickets);
    return {
      block,
      findings: TICKET_FORMATS.map((format) => ({
        code: 'ticket-missing',
        place: { file: `tickets.${format}`, ticket: 1200 },
        expected: 'tickets 1200 to 2399 (1,200)',
        found: 'none',
      })),
      beside: [
        'ticket-order',
        'ticket-count',
        'tier-count',
        'prize-total',
        'feature-quota',
        'file-records',
      ],
    };
  });

  breaks('ticket-missing', 'a last ticket that is not there', () => {
    const last = ticketsOf(lagon).at(-1)!;
    const block = withTickets(lagon, ticketsOf(lagon).slice(0, -1));
    expect(last.prize_cents).toBe(0);
    return {
      block,
      findings: TICKET_FORMATS.map((format) => ({
        code: 'ticket-missing',
        place: { file: `tickets.${format}`, ticket: 8000 },
        expected: 'ticket 8000',
        found: 'none',
      })),
      beside: ['ticket-count', 'file-records', 'feature-quota'],
    };
  });

  breaks('ticket-range', 'a ticket 0 and a ticket too many', () => {
    const tickets = ticketsOf(lagon);
    const loser = plainLoser(lagon);
    const block = withTickets(lagon, [
      { ...loser, ticket: 0 },
      ...tickets,
      { ...loser, ticket: 8001 },
    ]);
    return {
      block,
      findings: TICKET_FORMATS.flatMap((format) =>
        [1, 8002].map((line): Finding => {
          const ticket = line - 1;
          const place = linePlace(block, `tickets.${format}`, format === 'csv' ? line + 1 : line);
          return {
            code: 'ticket-range',
            place: { ...place, ticket: line === 1 ? 0 : 8001 },
            expected: '1 to 8000',
            found: `ticket ${ticket}`,
          };
        }),
      ),
      beside: ['ticket-count', 'file-records', 'feature-quota'],
    };
  });
});

describe('of one ticket of Eldorado', () => {
  const LOSING = ['PSVBD', 'DBVSP', 'PPSSV'];
  const EXTRA = ['EPSVB', 'DBVSP', 'PPSSV'];

  /** The first row of a ticket that wins a line: its grid, its row and the other rows. */
  const winningRow = ({ grids }: Ticket, letter: string): { grid: number; row: number } => {
    for (const [grid, rows] of grids.entries()) {
      const row = rows.findIndex((text) => lettersIn([text], letter) >= 4);
      if (row >= 0) return { grid, row };
    }
    throw new Error(`no row wins with ${letter}`);
  };

  const withRow = ({ grids }: Ticket, at: { grid: number; row: number }, text: string) =>
    grids.map((rows, grid) =>
      rows.map((row, index) => (grid === at.grid && index === at.row ? text : row)),
    );

  breaks('grid-count', 'a ticket without any grid', () => {
    const { ticket } = plainLoser(eldorado);
    const block = withTicket(eldorado, ticket, { grids: [] });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'grid-count',
        ticket,
        expected: 'a grid',
        found: 'none',
      }),
    };
  });

  breaks('grid-shape', 'a row of four letters', () => {
    const { ticket } = plainLoser(eldorado);
    const block = withTicket(eldorado, ticket, { grids: [['PSVBD', 'DBVS', 'PPSSV']] });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'grid-shape',
        ticket,
        grid: 1,
        expected: '3 rows of 5',
        found: 'PSVBD/DBVS/PPSSV',
      }),
      beside: ['manifest-outcomes'],
    };
  });

  breaks('grid-shape', 'an EXTRA stage of two rows', () => {
    const { ticket, grids } = findTicket(eldorado, { prize_cents: 0, gridCount: 2 });
    const block = withTicket(eldorado, ticket, { grids: [grids[0]!, grids[1]!.slice(1)] });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'grid-shape',
        ticket,
        grid: 2,
        expected: '3 rows of 5',
        found: grids[1]!.slice(1).join('/'),
      }),
      beside: ['manifest-outcomes', 'feature-quota'],
    };
  });

  breaks('symbol', 'a symbol of another game', () => {
    const { ticket } = findTicket(eldorado, { prize_cents: 0, gridCount: 2 });
    const block = withTicket(eldorado, ticket, { grids: [EXTRA, ['PSVBD', 'DBVSP', 'PHSSV']] });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'symbol',
        ticket,
        grid: 2,
        row: 3,
        expected: 'only PSVBDE',
        found: 'PHSSV',
      }),
    };
  });

  breaks('symbol', 'a NUL, a small letter and a letter with an accent in rows of the CSV', () => {
    const numbers = ticketsOf(eldorado)
      .filter(({ prize_cents, grids }) => prize_cents === 0 && grids.length === 1)
      .slice(0, 3)
      .map(({ ticket }) => ticket);
    const rows = ['\0SVBD', 'pSVBD', Buffer.from('éSVBD').toString('latin1')];
    let block = eldorado;
    numbers.forEach((ticket, index) => {
      const text = `${ticket},0,,PSVBD/DBVSP/${rows[index]!}`;
      block = withLine(block, 'tickets.csv', ticket + 1, () => text);
    });
    return {
      block,
      findings: numbers.map((ticket, index) => ({
        code: 'symbol',
        place: { ...linePlace(block, 'tickets.csv', ticket + 1), ticket, grid: 1, row: 3 },
        expected: 'only PSVBDE',
        found: ['\\u{0}SVBD', 'pSVBD', 'éSVBD'][index]!,
      })),
    };
  });

  breaks('prize', 'a fifth identical symbol that turns 4 into 5', () => {
    const ticket = findTicket(eldorado, { combination: '4D', gridCount: 1 });
    const grids = withRow(ticket, winningRow(ticket, 'D'), 'DDDDD');
    const block = withTicket(eldorado, ticket.ticket, { grids });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'prize',
        ticket: ticket.ticket,
        expected: '300 cents by its symbols',
        found: '200 cents',
      }),
      beside: ['combination', 'tier-count', 'prize-total', 'feature-quota', 'manifest-outcomes'],
    };
  });

  breaks('prize', 'a prize that the symbols do not win', () => {
    const { ticket } = plainLoser(eldorado);
    const { outcomes } = eldorado.manifest;
    const block = withClaims(withTicket(eldorado, ticket, { prize_cents: 200 }), { outcomes });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'prize',
        ticket,
        expected: '0 cents by its symbols',
        found: '200 cents',
      }),
    };
  });

  breaks('prize-tier', 'symbols that add up to a prize that no tier has', () => {
    const { ticket } = plainLoser(eldorado);
    const block = withTicket(eldorado, ticket, {
      prize_cents: 1700,
      combination: '4V+4D',
      grids: [['VVVVP', 'PSVBD', 'DDSDD']],
    });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'prize-tier',
        ticket,
        expected:
          '0 or one of 1000000, 500000, 100000, 10000, 5000, 1500, 1000, 500, 300, 200 cents',
        found: '1700 cents',
      }),
      beside: ['prize-total'],
    };
  });

  breaks('combination', 'a right prize by another composition than the one that is stated', () => {
    const { ticket } = findTicket(eldorado, { combination: '5D+4D' });
    const { outcomes } = eldorado.manifest;
    const block = withClaims(withTicket(eldorado, ticket, { combination: '4B' }), { outcomes });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'combination',
        ticket,
        expected: '"5D+4D" by its symbols',
        found: '"4B"',
      }),
    };
  });

  breaks('combination', 'a combination with the lower amount first, or of a loser', () => {
    const pair = findTicket(eldorado, { combination: '5D+4D' });
    const loser = plainLoser(eldorado);
    const { outcomes } = eldorado.manifest;
    const first = withTicket(eldorado, pair.ticket, { combination: '4D+5D' });
    const block = withClaims(withTicket(first, loser.ticket, { combination: '\u202e4D' }), {
      outcomes,
    });
    const [early, late] = [pair, loser].toSorted((a, b) => a.ticket - b.ticket);
    const words = ({ ticket }: Ticket) =>
      ticket === pair.ticket
        ? {
            code: 'combination' as const,
            ticket,
            expected: '"5D+4D" by its symbols',
            found: '"4D+5D"',
          }
        : {
            code: 'combination' as const,
            ticket,
            expected: '"" by its symbols',
            found: '"\\u{202e}4D"',
          };
    const findings = [...inBothFiles(block, words(early!)), ...inBothFiles(block, words(late!))];
    return {
      block,
      findings: findings.toSorted((a, b) => (a.place.file! > b.place.file! ? -1 : 1)),
    };
  });

  breaks('stage-count', 'an EXTRA stage that was left out', () => {
    const { ticket, grids } = findTicket(eldorado, { prize_cents: 0, gridCount: 2 });
    const { outcomes } = eldorado.manifest;
    const changed = withTicket(eldorado, ticket, { grids: grids.slice(0, 1) });
    const block = withClaims(changed, { outcomes });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'stage-count',
        ticket,
        expected: '1 EXTRA stages for 1 EXTRA symbols',
        found: '0 EXTRA stages',
      }),
    };
  });

  breaks(
    'stage-reachability',
    'two EXTRA in stage 1 and none in the main grid, with the total right,',
    () => {
      const { ticket } = findTicket(eldorado, { prize_cents: 0, gridCount: 3 });
      const stage = ['EPSVB', 'DBEVP', 'PPSSV'];
      const block = withTicket(eldorado, ticket, { grids: [LOSING, stage, LOSING] });
      return {
        block,
        findings: inBothFiles(block, {
          code: 'stage-reachability',
          ticket,
          grid: 2,
          expected: 'at least 1 EXTRA symbols in the grids before EXTRA stage 1',
          found: '0',
        }),
      };
    },
  );

  breaks('extra-vector', 'four EXTRA stages, each reached', () => {
    const { ticket } = plainLoser(eldorado);
    const main = ['EPSVB', 'DEVSP', 'EEPSV'];
    const block = withTicket(eldorado, ticket, { grids: [main, LOSING, LOSING, LOSING, LOSING] });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'extra-vector',
        ticket,
        expected:
          'EXTRA symbols per grid as one of 0 | 1,0 | 1,1,0 | 2,0,0 | 1,1,1,0 | 1,2,0,0 | 2,0,1,0 | 2,1,0,0 | 3,0,0,0',
        found: '4,0,0,0,0',
      }),
    };
  });

  breaks('outcome-excluded', 'a prize of a tier by seven winning rows', () => {
    const { ticket } = findTicket(eldorado, { prize_cents: 1500, gridCount: 3 });
    const block = withTicket(eldorado, ticket, {
      combination: '5D+4D+4D+4D+4D+4D+4D',
      grids: [
        ['DDDDE', 'EDDDD', 'DDDDD'],
        ['DDDDP', 'PDDDD', 'DDSDD'],
        ['PSVBD', 'DDDDP', 'PPSSV'],
      ],
    });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'outcome-excluded',
        ticket,
        expected: "an outcome of the definition's law",
        found: '1500 cents by "5D+4D+4D+4D+4D+4D+4D" with 2 EXTRA stages',
      }),
    };
  });
});

describe('of one ticket of Lagon Paradis', () => {
  /** A grid of 18 cells: some letters, the rest neutral. */
  const gridOf = (letters: string): string[] => {
    const cells = letters + 'CENV'.repeat(5).slice(0, 18 - letters.length);
    return [cells.slice(0, 6), cells.slice(6, 12), cells.slice(12)];
  };

  breaks('grid-count', 'a choice without a grid', () => {
    const { ticket, grids } = plainLoser(lagon);
    const block = withTicket(lagon, ticket, { grids: grids.slice(0, 2) });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'grid-count',
        ticket,
        expected: '3 grids, one for each choice',
        found: '2',
      }),
    };
  });

  breaks('symbol', 'EXTRA of no meaning in Lagon Paradis', () => {
    const { ticket, grids } = plainLoser(lagon);
    const [rows, ...rest] = grids;
    const altered = [rows![0]!.replace(/[CENV]/, 'X'), ...rows!.slice(1)];
    const block = withTicket(lagon, ticket, { grids: [altered, ...rest] });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'symbol',
        ticket,
        grid: 1,
        row: 1,
        expected: 'only TPHCENV',
        found: altered[0]!,
      }),
    };
  });

  breaks('choices-differ', 'three choices of which one has a symbol less', () => {
    const ticket = findTicket(lagon, { combination: '5' });
    const grids = ticket.grids.map((rows, choice) =>
      choice === 2 ? rows.join('/').replace('H', 'C').split('/') : rows,
    );
    const block = withTicket(lagon, ticket.ticket, { grids });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'choices-differ',
        ticket: ticket.ticket,
        expected: 'the same number of chosen symbols whatever the choice',
        found: '5, 5, 4',
      }),
    };
  });

  breaks('chosen-count', 'eleven of the chosen symbol', () => {
    const { ticket } = plainLoser(lagon);
    const grids = ['T', 'P', 'H'].map((letter) => gridOf(letter.repeat(11)));
    const block = withTicket(lagon, ticket, { grids });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'chosen-count',
        ticket,
        expected: 'one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 chosen symbols',
        found: '11',
      }),
    };
  });

  breaks('symbol-cap', 'four of a symbol that was not chosen', () => {
    const { ticket } = findTicket(lagon, { combination: '6' });
    const grids = [gridOf('TTTTTTPPP'), gridOf('PPPPPPHHHH'), gridOf('HHHHHHTTTPPP')];
    const block = withTicket(lagon, ticket, { grids });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'symbol-cap',
        ticket,
        grid: 2,
        expected: 'at most 3 of H, which is not the chosen symbol',
        found: '4',
      }),
    };
  });

  breaks('prize', 'a winner that states the prize of another count', () => {
    const { ticket } = findTicket(lagon, { combination: '7' });
    const { outcomes } = lagon.manifest;
    const block = withClaims(withTicket(lagon, ticket, { prize_cents: 10_000 }), { outcomes });
    return {
      block,
      findings: inBothFiles(block, {
        code: 'prize',
        ticket,
        expected: '2000 cents by its symbols',
        found: '10000 cents',
      }),
    };
  });
});

describe('of the block as a whole', () => {
  const LOSING = ['PSVBD', 'DBVSP', 'PPSSV'];

  breaks('ticket-count', 'a block without its last ticket', () => ({
    block: withTickets(lagon, ticketsOf(lagon).slice(0, -1)),
    findings: againstBothFiles({
      code: 'ticket-count',
      expected: '8,000 tickets',
      found: '7,999',
    }),
    beside: ['ticket-missing', 'file-records', 'feature-quota'],
  }));

  /** The block with a winner of the smallest prize turned into a loser. */
  const withoutWinner = (): BlockCopy => {
    const { ticket } = findTicket(eldorado, { combination: '4D', gridCount: 1 });
    return withTicket(eldorado, ticket, { prize_cents: 0, combination: '', grids: [LOSING] });
  };

  breaks('tier-count', 'a winner turned into a loser, in a manifest that agrees,', () => ({
    block: withoutWinner(),
    findings: againstBothFiles({
      code: 'tier-count',
      expected: '980 tickets of 2.00 euros',
      found: '979',
    }),
    beside: ['prize-total', 'feature-quota'],
  }));

  breaks('prize-total', 'a winner turned into a loser, in a manifest that agrees,', () => ({
    block: withoutWinner(),
    findings: againstBothFiles({
      code: 'prize-total',
      expected: 'prizes of 22,150.00 euros in all',
      found: '22,148.00',
    }),
    beside: ['tier-count', 'feature-quota'],
  }));

  breaks('feature-quota', 'EXTRA on winners only, in a manifest that agrees,', () => {
    const tickets = ticketsOf(eldorado).map((ticket) =>
      ticket.prize_cents === 0 && ticket.grids.length > 1 ? { ...ticket, grids: [LOSING] } : ticket,
    );
    const losers: readonly (readonly [expected: string, found: string])[] = [
      ['6,362 or 6,363 tickets of 0.00 euros with 0 EXTRA stages', '7,485'],
      ['898 or 899 tickets of 0.00 euros with 1 EXTRA stage', '0'],
      ['187 or 188 tickets of 0.00 euros with 2 EXTRA stages', '0'],
      ['37 or 38 tickets of 0.00 euros with 3 EXTRA stages', '0'],
    ];
    const inBoth = TICKET_FORMATS.flatMap((format) =>
      losers.map(([expected, found]) => ({
        code: 'feature-quota' as const,
        place: { file: `tickets.${format}` },
        expected,
        found,
      })),
    );
    // Five of a code are kept.
    return { block: withTickets(eldorado, tickets), findings: inBoth.slice(0, 5) };
  });

  breaks(
    'feature-quota',
    'losing tickets that are all one symbol short of a win, in a manifest that agrees,',
    () => {
      const near = ticketsOf(lagon).find(
        ({ prize_cents, grids }) => prize_cents === 0 && lettersIn(grids[0]!, 'T') === 3,
      )!;
      const tickets = ticketsOf(lagon).map((ticket) =>
        ticket.prize_cents === 0 ? { ...ticket, grids: near.grids } : ticket,
      );
      const [first] = againstBothFiles({
        code: 'feature-quota',
        expected: '629 or 630 tickets of 0.00 euros with 0 chosen symbols',
        found: '0',
      });
      const place = first!.place;
      return {
        block: withTickets(lagon, tickets),
        findings: [
          first!,
          { ...first!, expected: '1,573 or 1,574 tickets of 0.00 euros with 1 chosen symbol' },
          { ...first!, expected: '2,203 or 2,204 tickets of 0.00 euros with 2 chosen symbols' },
          {
            ...first!,
            expected: '1,888 or 1,889 tickets of 0.00 euros with 3 chosen symbols',
            found: '6,295',
          },
          { ...first!, place: { ...place, file: 'tickets.csv' } },
        ],
      };
    },
  );

  breaks('composition-quota', 'a prize by one composition only, in a manifest that agrees,', () => {
    const isPair = ({ combination, grids }: Ticket): boolean =>
      combination === '5D+4D' && grids.length === 1;
    const tickets = ticketsOf(eldorado).map((ticket) =>
      isPair(ticket)
        ? { ...ticket, combination: '4B', grids: [['BBBBP', ...LOSING.slice(1)]] }
        : ticket,
    );
    const findings = TICKET_FORMATS.flatMap((format): readonly Finding[] => {
      const place = { file: `tickets.${format}` };
      const having = 'tickets of 5.00 euros with 0 EXTRA stages by';
      return [
        {
          code: 'composition-quota',
          place,
          expected: `164 or 165 ${having} "4B"`,
          found: '247',
        },
        { code: 'composition-quota', place, expected: `82 or 83 ${having} "5D+4D"`, found: '0' },
      ];
    });
    return { block: withTickets(eldorado, tickets), findings };
  });
});

describe('of the registry beside the block', () => {
  const registryOf = (folder: string): string => join(folder, '..', REGISTRY_FILE);
  const entryOf = (block: BlockCopy): Parameters<typeof nextEntry>[1] => {
    const { manifest } = block;
    return { ...registeredBlock(manifest, encodeManifest(manifest)), event: 'made' };
  };
  const empty = parseRegistry(new Uint8Array());

  breaks('registry-chain', 'a line whose hash the next one does not have', () => ({
    block: eldorado,
    prepare: (folder) => {
      const { line } = nextEntry(empty, entryOf(eldorado));
      const other = nextEntry(parseRegistry(line), entryOf(lagon)).line;
      const changed = line.toString().replace('"made"', '"adopted"');
      writeFileSync(registryOf(folder), `${changed}${other.toString()}`);
    },
    findings: [
      {
        code: 'registry-chain',
        place: { file: REGISTRY_FILE, line: 2 },
        expected: expect.stringContaining('the hash of the line before it') as unknown as string,
        found: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown as string,
      },
    ],
  }));

  breaks('registry-entry', 'a block that is not the one that was registered last', () => ({
    block: eldorado,
    prepare: (folder) => {
      const first = nextEntry(empty, entryOf(eldorado)).line;
      const second = nextEntry(parseRegistry(first), {
        ...entryOf(otherEldorado),
        event: 'replaced',
        replaced: { number: 1, manifest_sha256: null },
      }).line;
      writeFileSync(registryOf(folder), Buffer.concat([first, second]));
    },
    findings: [
      {
        code: 'registry-entry',
        place: { file: REGISTRY_FILE, line: 2 },
        expected: `eldorado-mini-100-e1-b1 with the manifest's hash ${entryOf(eldorado).manifest_sha256}`,
        found: `its last entry has ${entryOf(otherEldorado).manifest_sha256}`,
      },
    ],
  }));
});

test('every finding code has a case here', () => {
  expect([...covered].toSorted()).toEqual([...FINDING_CODES].toSorted());
});
