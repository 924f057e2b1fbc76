/*
 * Loaded into each thread of a program before its own code: writes down, in OFFLINE_LOG, what it has to do
 * with the network, and which modules it asks for. One line each: "thread main", "network TCPWRAP",
 * "process spawnSync", "addon /a/b.node", "module commander".
 */
import { createHook } from 'node:async_hooks';
import children from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { Module, register, syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const { OFFLINE_LOG = '' } = process.env;

/** What Node opens, sends or asks for by way of its own, whichever of its modules was called. */
const NETWORK = /^(?:TCP|UDP|TLS|HTTP|DNSCHANNEL|GETADDRINFO|GETNAMEINFO|QUERY)/;

function write(kind, what) {
  appendFileSync(OFFLINE_LOG, `${kind} ${what}\n`);
}

write('thread', isMainThread ? 'main' : 'worker');

createHook({
  init(_id, type) {
    if (NETWORK.test(type)) write('network', type);
    if (type === 'PROCESSWRAP') write('process', 'spawn');
  },
}).enable();

// Waited for without a handle that a hook would see.
for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
  const actual = children[name];
  children[name] = (...args) => {
    write('process', name);
    return actual(...args);
  };
}
syncBuiltinESMExports();

// Code that is not Node's own could open sockets that no hook sees.
const { dlopen } = process;
process.dlopen = (module, path, ...rest) => {
  write('addon', path);
  return dlopen.call(process, module, path, ...rest);
};

const { _resolveFilename: resolveFilename } = Module;
Module._resolveFilename = (specifier, ...rest) => {
  write('module', specifier);
  return resolveFilename.call(Module, specifier, ...rest);
};
register('./module-hooks.mjs', import.meta.url);
