import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Something that a kind of fault cannot do without. */
export interface Need {
  readonly isThere: () => boolean;
  /** What is missing, and what to do about it. */
  readonly advice: string;
}

/** A command, with the Debian package that has it. */
function command(name: string, packageName: string): Need {
  return {
    isThere: () => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0,
    advice: `${name} is missing: apt-get install ${packageName}`,
  };
}

export const NEEDS = {
  root: { isThere: () => process.getuid?.() === 0, advice: 'this needs root: run it with sudo' },
  strace: command('strace', 'strace'),
  mount: command('mount', 'mount'),
  ext4: command('mkfs.ext4', 'e2fsprogs'),
  chattr: command('chattr', 'e2fsprogs'),
  python: command('python3', 'python3'),
  loop: {
    isThere: () => existsSync('/dev/loop-control'),
    advice: 'there are no loop devices: load the module loop, or give the container /dev/loop*',
  },
  memoryGroup: {
    isThere: () => memoryGroups() !== undefined,
    advice: 'there is no memory control group: mount one on /sys/fs/cgroup',
  },
} as const satisfies Record<string, Need>;

/** Where memory control groups are made, and the name of the file with their ceiling. */
export function memoryGroups(): { readonly folder: string; readonly ceiling: string } | undefined {
  const first = { folder: '/sys/fs/cgroup/memory', ceiling: 'memory.limit_in_bytes' };
  if (existsSync(`${first.folder}/${first.ceiling}`)) return first;
  const second = { folder: '/sys/fs/cgroup', ceiling: 'memory.max' };
  return existsSync('/sys/fs/cgroup/cgroup.controllers') ? second : undefined;
}
