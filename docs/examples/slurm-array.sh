#!/bin/sh
# Four shares of one emission as an array job of Slurm, out of the folder in which jobs.json and
# emission-1.seed lie: sbatch slurm-array.sh. One of them again: sbatch --array=3 slurm-array.sh.
# The last step joins them:
#   gen-block batch finish jobs.json shares/share-1 shares/share-2 shares/share-3 shares/share-4 \
#     --seed-file emission-1.seed --out blocks
#SBATCH --job-name=emission-1
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --time=04:00:00
# A minute before the time is up: gen-block drops the block in hand and keeps what is done.
#SBATCH --signal=B:TERM@60
set -eu

# By exec the signal comes to gen-block itself. How many shares there are stands here and in --array.
exec gen-block batch jobs.json --shard slurm/4 --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --seed-file emission-1.seed --out "shares/share-$SLURM_ARRAY_TASK_ID"
