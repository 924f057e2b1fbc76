import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Undisturbed } from './judge.js';
import { readTree, type Tree } from './read-tree.js';
import { runProgram, type Ended, type Launch } from './run-program.js';

/** Long and odd enough to be found wherever it leaks. */
const SEED = 'Zq7-sésame-0f3b9c-campaign';

/** The batch that most faults strike: two games, three blocks, both formats, one compressed. */
const SMALL_JOBS = 'fixtures/jobs/three-small-blocks.json';

/** What an undisturbed run has made, in the campaign's folder. */
const WHOLE = 'undisturbed';

/** The folder of one fault. */
export interface Place {
  /** Private to this fault; whatever else it needs goes there. */
  readonly folder: string;
  /** Where the blocks go; made by the program. */
  readonly out: string;
}

/** Runs the program, and knows what it makes when nothing disturbs it. */
export class Workbench implements Undisturbed {
  /** The folder with everything of a campaign. */
  readonly folder: string;
  readonly seed = SEED;
  readonly tree: Tree;
  /** How long an undisturbed run took, in milliseconds. */
  readonly runMs: number;
  readonly #root: string;
  readonly #jobs: string;
  #placeCount = 0;

  private constructor(
    known: Pick<Workbench, 'folder' | 'tree' | 'runMs'>,
    root: string,
    jobs: string,
  ) {
    this.folder = known.folder;
    this.tree = known.tree;
    this.runMs = known.runMs;
    this.#root = root;
    this.#jobs = jobs;
  }

  /** @param root - The project's folder, in which the program has been built. */
  static async open(root: string, jobs?: object): Promise<Workbench> {
    if (!existsSync(join(root, 'dist/program/main.js'))) {
      throw new Error('the program is not built: npm run build');
    }
    const folder = mkdtempSync(join(tmpdir(), 'gen-block-faults-'));
    writeFileSync(join(folder, 'seed'), SEED, { mode: 0o600 });
    const path = jobs === undefined ? join(root, SMALL_JOBS) : join(folder, 'jobs.json');
    if (jobs !== undefined) writeFileSync(path, JSON.stringify(jobs));
    const unknown = new Workbench({ folder, tree: new Map(), runMs: 0 }, root, path);
    const place = { folder, out: join(folder, WHOLE) };
    const startedAt = performance.now();
    const { exit, stderr } = await unknown.run(place);
    if (exit !== 0) throw new Error(`an undisturbed run failed: ${stderr}`);
    const runMs = Math.ceil(performance.now() - startedAt);
    return new Workbench({ folder, tree: readTree(place.out, SEED), runMs }, root, path);
  }

  newPlace(out = 'out'): Place {
    this.#placeCount += 1;
    const folder = join(this.folder, `place-${this.#placeCount}`);
    mkdirSync(folder, { mode: 0o700 });
    return { folder, out: join(folder, out) };
  }

  /** The path of a module that is loaded before the program. */
  preload(name: string): string {
    return join(this.#root, 'src/testing/fault-campaign/preloads', `${name}.mjs`);
  }

  /** Runs the batch into a place. */
  async run({ out }: Place, launch: Launch = {}): Promise<Ended> {
    const { wrap = [], nodeOptions = [], more = [] } = launch;
    const program = [process.execPath, ...nodeOptions, join(this.#root, 'bin/gen-block.js')];
    const flags = ['--seed-file', join(this.folder, 'seed'), '--out', out, '--quiet', '--json'];
    return runProgram([...wrap, ...program, 'batch', this.#jobs, ...flags, ...more], launch);
  }

  /** Lets a place hold all blocks, one of them cut short, as a bad disk may leave them. */
  breakBlock({ out }: Place): Tree {
    cpSync(join(this.folder, WHOLE), out, { recursive: true });
    const path = [...this.tree.keys()].find((name) => name.endsWith('tickets.csv')) ?? '';
    truncateSync(join(out, path), 1000);
    return readTree(out, this.seed);
  }

  removePlace({ folder }: Place): void {
    rmSync(folder, { recursive: true, force: true });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
