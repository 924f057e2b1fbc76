import { MachineError, systemErrorCode } from '../core/errors.js';

/**
 * Resolves when standard output has taken the bytes.
 *
 * @param ifCut - What it means that it did not take them.
 * @throws MachineError.
 */
export async function writeToStdout(bytes: Uint8Array | string, ifCut: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(outputError(error, ifCut));
    });
  });
}

function outputError(error: Error, ifCut: string): MachineError {
  const code = systemErrorCode(error) ?? 'EIO';
  const what =
    code === 'EPIPE'
      ? 'whoever reads it stopped before the end'
      : `the operating system said ${code}`;
  const message = `cannot write to standard output: ${what}; ${ifCut}, start again`;
  return new MachineError(message, { code, cause: error });
}
