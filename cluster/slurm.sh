#!/usr/bin/env bash
#SBATCH --job-name=wifi-harness
#SBATCH --array=0-63
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --output=slurm-%A-%a.out
# Explores as a Slurm job array, a shard a task. SEEDS and FOLDER, which all nodes see, come from the environment:
#
#   job=$(SEEDS='0..<1000000' FOLDER=explore sbatch --parsable cluster/slurm.sh)
#   sbatch --dependency=afterany:$job --wrap 'wifi-harness explore merge explore --output explore'
#
# Another number of shards is --array=0-N. A task that ran out of time or was preempted goes on where it was when it is
# submitted again. A task ends with 1 where it found something; so does the merge.
set -euo pipefail
exec "${WIFI_HARNESS:-wifi-harness}" explore --seeds "${SEEDS:-0..<100000}" --output "${FOLDER:-explore}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_PER_TASK:-1}"
