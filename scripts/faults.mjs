/*
 * Starts the fault campaign of src/testing/fault-campaign/, which is TypeScript: esbuild puts it together
 * in memory. The campaign itself runs the program as it is built.
 */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/testing/fault-campaign/main.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Without a folder of its own, the bundle cannot load anything by `require`.
  mainFields: ['module', 'main'],
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { main } = await import(`data:text/javascript;base64,${code}`);
process.exitCode = await main(root, process.argv.slice(2));
