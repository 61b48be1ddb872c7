#!/usr/bin/env bash
# Explores with GNU parallel on this machine, or on others: cluster/parallel.sh [SEEDS [SHARDS [FOLDER]]]
#
# Run it again after it was stopped: each shard goes on where it was. For other machines that see the same FOLDER and have
# the command on their PATH: PARALLEL='--sshlogin host1,host2 --workdir .' cluster/parallel.sh
set -euo pipefail
seeds=${1:-0..<100000} shards=${2:-64} folder=${3:-explore}
binary=${WIFI_HARNESS:-wifi-harness}

# A shard that finds something ends with 1, which must not stop the others; the merge says it in the end.
seq 0 $((shards - 1)) | parallel --quote "$binary" explore --seeds "$seeds" --shard "{}/$shards" --jobs 1 --output "$folder" || true
exec "$binary" explore merge "$folder" --output "$folder"
