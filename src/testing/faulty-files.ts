import type * as FilesModule from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

type Files = typeof FilesModule;

/** The calls that can be made to fail, as a module calls them or as it calls a file handle. */
const MODULE_CALLS = [
  'mkdir',
  'open',
  'readdir',
  'rename',
  'rm',
  'lstat',
  'link',
  'unlink',
] as const;
const HANDLE_CALLS = ['write', 'sync', 'read', 'stat', 'close'] as const;

/** A call that fails: its number among all calls or among those of one name, from 1. */
export interface Fault {
  readonly call?: string;
  readonly nth: number;
  readonly code: string;
}

/** `node:fs/promises` whose calls are counted and fail when told to. */
export class FaultyFiles {
  /** All calls since the last {@link arm}, in order. */
  calls: string[] = [];
  /** The most bytes that one write takes. */
  mostBytesWritten = Infinity;
  /** Whether reads give back other bytes than are there. */
  areReadsWrong = false;
  readonly #actual: Files;
  #faults: readonly Fault[] = [];

  constructor(actual: Files) {
    this.#actual = actual;
  }

  /** Forgets the calls so far, and sets the calls that will fail, if any. */
  arm(...faults: readonly Fault[]): void {
    this.calls = [];
    this.mostBytesWritten = Infinity;
    this.areReadsWrong = false;
    this.#faults = faults;
  }

  /** What stands in for the module. */
  get module(): Files {
    const wrapped = MODULE_CALLS.map((name) => [name, this.#wrapModuleCall(name)] as const);
    return { ...this.#actual, ...Object.fromEntries(wrapped) };
  }

  #wrapModuleCall(name: (typeof MODULE_CALLS)[number]) {
    const actual = this.#actual[name] as (...args: unknown[]) => Promise<unknown>;
    return async (...args: unknown[]): Promise<unknown> => {
      this.#step(name);
      const result = await actual(...args);
      return name === 'open' ? this.#wrapHandle(result as FileHandle) : result;
    };
  }

  #wrapHandle(handle: FileHandle): FileHandle {
    for (const name of HANDLE_CALLS) {
      const actual = handle[name].bind(handle) as (...args: unknown[]) => Promise<unknown>;
      const wrapped = async (...args: unknown[]): Promise<unknown> => {
        if (name === 'close') {
          // A file is closed even where closing it reports an error.
          await actual();
          this.#step(name);
          return undefined;
        }
        this.#step(name);
        if (name === 'write') args[2] = Math.min(Number(args[2]), this.mostBytesWritten);
        const result = await actual(...args);
        if (name === 'read' && this.areReadsWrong) spoil(args[0] as Uint8Array);
        return result;
      };
      Object.assign(handle, { [name]: wrapped });
    }
    return handle;
  }

  #step(name: string): void {
    this.calls.push(name);
    for (const { call, nth, code } of this.#faults) {
      const counted = this.calls.filter((made) => call === undefined || made === call);
      if (counted.length !== nth || (call !== undefined && call !== name)) continue;
      throw Object.assign(new Error(`${code}: made up, ${name}`), { code, syscall: name });
    }
  }
}

/** Changes a byte so that the record that it stands in is no longer right. */
function spoil(bytes: Uint8Array): void {
  bytes[100] = (bytes[100] ?? 0) ^ 1;
}
