#!/bin/sh
# A sweep on a Slurm cluster: a job array of N parts, and a job that joins them.
# usage: submit.sh CONFIG OUT N [SBATCH-OPTION]...
# example: submit.sh configs/000.json /shared/out 8 --cpus-per-task=16 --time=1:00:00
#
# CONFIG, OUT and the traces must be where all nodes see them. Prints the job that joins; when it
# is done, OUT/all has the results. Run it again to do what is missing.
set -eu
[ $# -ge 3 ] || { echo "usage: submit.sh CONFIG OUT N [SBATCH-OPTION]..." >&2; exit 2; }
config=$1 out=$2 parts=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/logs"
array=$(sbatch --parsable --array="1-$parts" --output="$out/logs/part-%a.log" "$@" \
  "$here/sweep.sbatch" "$config" "$out" "$parts")
sbatch --parsable --dependency="afterany:${array%%;*}" --output="$out/logs/merge.log" \
  "$here/merge.sbatch" "$out"
