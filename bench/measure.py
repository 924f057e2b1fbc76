"""Runs one command as a whole process and says what it cost, as one line of JSON.

Usage: measure.py command [argument...]

The command's standard output is thrown away, its standard error is passed on. CPU is user plus system
time, of the command and the children that it waited for. The peak is the kernel's `ru_maxrss`; it
cannot be below that of this small program, which is in its place until the command is loaded.
"""

import json
import os
import signal
import sys
import time


def measure(command):
    """Starts the command, waits for its end, and returns its costs."""
    discard = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start = time.monotonic()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=discard)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
    _, status, usage = os.wait4(child, 0)
    return {
        "exit_code": os.waitstatus_to_exitcode(status),
        "wall_seconds": time.monotonic() - start,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        # Linux counts in KiB, macOS in bytes.
        "peak_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1:])))
