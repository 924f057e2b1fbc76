#!/bin/sh
# Four shares of one emission as four processes of one machine, started by GNU parallel in the folder
# in which jobs.json and emission-1.seed lie. Run again, it goes on where it was stopped.
set -eu

# --termseq: at Ctrl-C each process gets the time to drop its block in good order.
parallel --jobs 4 --tag --termseq TERM,10000,KILL,25 \
  gen-block batch jobs.json --shard {}/4 --threads 1 --seed-file emission-1.seed \
  --out shares/share-{} \
  ::: 1 2 3 4

# The last step joins them:
#   gen-block batch finish jobs.json shares/share-1 shares/share-2 shares/share-3 shares/share-4 \
#     --seed-file emission-1.seed --out blocks
