import type { FaultKind } from './fault-kind.js';
import { CLOSED_OUTPUT } from './kinds/closed-output.js';
import { DISK_FULL } from './kinds/disk-full.js';
import { DYING_THREAD } from './kinds/dying-thread.js';
import { FILE_CALLS } from './kinds/file-calls.js';
import { JUMPING_CLOCK } from './kinds/jumping-clock.js';
import { KILL, STOP } from './kinds/kill.js';
import { DESCRIPTORS_LIMIT, FILE_SIZE_LIMIT } from './kinds/limits.js';
import { LITTLE_MEMORY, MEMORY_CEILING } from './kinds/memory.js';
import { POWER_LOSS } from './kinds/power-loss.js';
import { RACE_OF_FOUR, RACE_OF_TWO } from './kinds/race.js';
import { READ_ONLY_DISK, READ_ONLY_FOLDER } from './kinds/read-only.js';
import { SYSTEM_CALLS } from './kinds/system-calls.js';

/** All kinds of faults. */
export const FAULT_KINDS: readonly FaultKind[] = [
  KILL,
  STOP,
  FILE_CALLS,
  SYSTEM_CALLS,
  DISK_FULL,
  FILE_SIZE_LIMIT,
  READ_ONLY_FOLDER,
  READ_ONLY_DISK,
  CLOSED_OUTPUT,
  RACE_OF_TWO,
  RACE_OF_FOUR,
  DYING_THREAD,
  JUMPING_CLOCK,
  POWER_LOSS,
  MEMORY_CEILING,
  LITTLE_MEMORY,
  DESCRIPTORS_LIMIT,
];
