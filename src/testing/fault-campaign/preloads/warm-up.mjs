/*
 * The tracer counts a call in each thread by itself. With one thread for all files, this makes that
 * thread's count run ahead of what the main thread ever reaches while it loads the program. WARM_UP says
 * which system call, and how often: "statx 1500".
 */
import { lstat, open } from 'node:fs/promises';
import process from 'node:process';

const [name, count] = (process.env.WARM_UP ?? '').split(' ');

async function openAndClose() {
  const handle = await open('/dev/null');
  await handle.close();
}

const call = name === 'statx' ? () => lstat('/') : openAndClose;
for (let made = 0; made < Number(count); made += 1) {
  // What is injected into the main thread's call of a number strikes here as well, and is of no account.
  await call().catch(() => undefined);
}
