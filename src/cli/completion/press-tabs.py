"""Types lines with real tabulators into a real shell, and tells what the program would have been given.

Arguments: the shell, the folder of the scripts, the folder to work in. Standard input: a list of lines in
JSON. A line that ends with a line feed is run, by a function that stands in the program's place and notes its
arguments; any other is taken back. Standard output: for each line its arguments, or null, in JSON.
"""

import json
import os
import pty
import select
import sys
import time

shell, scripts, folder = sys.argv[1:]
lines = json.load(sys.stdin)
noted = os.path.join(folder, ".noted")
# A variable with a command for its value, which must not be run, and one with a folder, which is looked into.
VALUES = "X='$(touch was-run)'; HERE=.\n"
NOTE = VALUES + "gen-block() { printf '%s\\0' \"$@\" > .noting; mv .noting .noted; }\n"
ARGUMENTS = {"bash": ["bash", "--noprofile", "--norc", "-i"], "zsh": ["zsh", "-f", "-i"]}
SETUP = {
    "bash": f"source '{scripts}/gen-block'\n" + NOTE,
    "zsh": f"fpath=('{scripts}' $fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word\n" + NOTE,
}
# Longer than any shell takes on a busy machine.
MOST_SECONDS = 60

child, terminal = pty.fork()
if child == 0:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update({"PATH": "/usr/bin:/bin", "HOME": folder, "TERM": "vt100", "PS1": "> ", "HISTFILE": ""})
    os.execvp(shell, ARGUMENTS[shell])


def type_text(text):
    os.write(terminal, text.encode())


def wait_for_note():
    """Reads what the shell shows, which would else block it, until the arguments are noted."""
    end = time.monotonic() + MOST_SECONDS
    while not os.path.exists(noted):
        if time.monotonic() > end:
            sys.exit(f"{shell} does not answer")
        if select.select([terminal], [], [], 0.01)[0]:
            os.read(terminal, 65536)
    with open(noted, encoding="utf8") as file:
        text = file.read()
    os.remove(noted)
    return text.split("\0")[:-1]


for line in SETUP[shell].splitlines():
    type_text(line + "\n")
type_text("gen-block ready\n")
wait_for_note()
answers = []
for line in lines:
    if line.endswith("\n"):
        type_text(line)
        answers.append(wait_for_note())
    else:
        # Back to an empty line, whatever it was; then something that is run, so that the tabulator was seen.
        type_text(line + "\x01\x0b" + "gen-block taken back\n")
        wait_for_note()
        answers.append(None)
type_text("exit\n")
os.close(terminal)
os.waitpid(child, 0)
print(json.dumps(answers))
