import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What a program of Python said, and how it ended. */
export interface PythonResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One process of Python that runs many programs, one after the other. */
export interface PythonRunner {
  /** Runs a program as `python3 <argv>` would. */
  run(...argv: readonly string[]): Promise<PythonResult>;
  stop(): Promise<void>;
}

/** Runs what is named on each line, from the file and anew, with streams that take UTF-8 only, as a process's. */
const LOOP = `
import contextlib, io, json, runpy, sys, traceback

def run(argv):
    sys.argv = argv
    try:
        runpy.run_path(argv[0], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

for line in sys.stdin:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(json.loads(line))
    texts = [stream.flush() or stream.buffer.getvalue().decode() for stream in (out, err)]
    print(json.dumps({"status": status, "stdout": texts[0], "stderr": texts[1]}), flush=True)
`;

/** Starts Python, which takes longer than what most programs of the tests do in it; it is to be stopped. */
export function startPython(): PythonRunner {
  const child = spawn('python3', ['-c', LOOP], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(...argv) {
      child.stdin.write(`${JSON.stringify(argv)}\n`);
      const answer = await answers.next();
      if (answer.done === true) throw new Error(`python3 has ended while it ran ${argv.join(' ')}`);
      return JSON.parse(answer.value) as PythonResult;
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
