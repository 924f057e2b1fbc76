/*
 * Stands between the program and `node:fs/promises`: counts the calls under one folder, and lets one of
 * them fail, or ends the process there. FAULT_PLAN says which: "write 3 ENOSPC", "rename 1 kill-after".
 */
import { writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';
import process from 'node:process';

const { FAULT_FOLDER = '', FAULT_PLAN = '', FAULT_LOG = '' } = process.env;
const [plannedCall, plannedNth, outcome] = FAULT_PLAN.split(' ');

const counts = {};
let isMet = false;
/** The handles of files that lie under the folder. */
const watched = new WeakSet();

function isUnder(path) {
  const absolute = resolve(String(path));
  return absolute === FAULT_FOLDER || absolute.startsWith(FAULT_FOLDER + sep);
}

/** Makes a call, or what stands in its place. */
async function step(name, call) {
  counts[name] = (counts[name] ?? 0) + 1;
  if (name !== plannedCall || counts[name] !== Number(plannedNth)) return call();
  isMet = true;
  if (outcome === 'kill-before') process.kill(process.pid, 'SIGKILL');
  if (outcome === 'kill-after') {
    await call().catch(() => undefined);
    process.kill(process.pid, 'SIGKILL');
  }
  // A file is closed even where closing it reports an error.
  if (name === 'close') await call();
  throw Object.assign(new Error(`${outcome}: made up, ${name}`), { code: outcome, syscall: name });
}

for (const name of [
  'mkdir',
  'open',
  'readdir',
  'rename',
  'rm',
  'lstat',
  'stat',
  'link',
  'unlink',
]) {
  const actual = files[name];
  files[name] = async (path, ...rest) => {
    if (!isUnder(path)) return actual(path, ...rest);
    const result = await step(name, () => actual(path, ...rest));
    if (name === 'open') watched.add(result);
    return result;
  };
}

const handle = await files.open('/dev/null');
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['write', 'sync', 'read', 'close', 'stat']) {
  const actual = prototype[name];
  prototype[name] = function (...args) {
    const call = () => actual.apply(this, args);
    return watched.has(this) ? step(name === 'stat' ? 'fstat' : name, call) : call();
  };
}
syncBuiltinESMExports();

process.on('exit', () => {
  writeFileSync(FAULT_LOG, JSON.stringify({ counts, isMet }));
});
