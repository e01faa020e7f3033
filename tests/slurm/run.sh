#!/bin/bash
# Set up a Slurm of one controller and one node on this machine, try configs/slurm on it, and take
# it down. Nothing of it is left, and a Slurm that runs here already is not touched.
# usage: run.sh, from the top of the source tree, as root; SLABSIM names the program.
set -eu
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
export SLABSIM
[ "$(id -u)" -eq 0 ] || { echo "slurm test: takes root, for slurmd" >&2; exit 1; }
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
  echo "slurm test: installing slurm-wlm" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1 || true
  # Installing must not start services, which would use the machine's own configuration.
  apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null
fi

dir=$(mktemp -d /tmp/slurm-test.XXXXXX)
daemons=()
take_down() {
  for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
    kill "${daemons[i]}" 2>/dev/null || true
    wait "${daemons[i]}" 2>/dev/null || true
  done
  rm -rf "$dir"
}
trap take_down EXIT
trap 'exit 1' INT TERM

fail() {
  echo "slurm test: $*" >&2
  for log in "$dir"/*.log "$dir"/out/logs/*.log; do
    [ -s "$log" ] && { echo "--- $log" >&2; tail -15 "$log" >&2; }
  done
  exit 1
}

free_port() { # FROM
  local port=$1
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  echo "$port"
}

# ---- up ----
node=$(hostname -s)
mkdir "$dir/state" "$dir/spool" "$dir/munge"
chmod 755 "$dir"
dd if=/dev/urandom of="$dir/munge/key" bs=128 count=1 2>/dev/null
chmod 400 "$dir/munge/key"
munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
  --pid-file="$dir/munge/pid" --seed-file="$dir/munge/seed" >"$dir/munged.log" 2>&1 &
daemons+=($!)
controller_port=$(free_port 16817)
node_port=$(free_port $((controller_port + 1)))
cat >"$dir/slurm.conf" <<END
ClusterName=slabsim
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
SlurmctldPort=$controller_port
SlurmdPort=$node_port
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$dir/slurm.conf
for _ in $(seq 50); do [ -S "$dir/munge/socket" ] && break; sleep 0.1; done
[ -S "$dir/munge/socket" ] || fail "munged does not start"
slurmctld -D -f "$SLURM_CONF" >"$dir/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -f "$SLURM_CONF" -N "$node" >"$dir/slurmd.log" 2>&1 &
daemons+=($!)
for _ in $(seq 150); do
  [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break
  sleep 0.2
done
[ "$(sinfo -h -o %T 2>/dev/null)" = idle ] || fail "the node does not come up: $(sinfo 2>&1)"
echo "slurm test: $(slurmctld -V) is up, $(nproc) processors"

# ---- a sweep ----
cat >"$dir/sweep.json" <<END
{ "name": "on a cluster",
  "machine": {"cpus": 8},
  "caches": [{"name": "skbuff_head_cache", "object_size": 216, "hwcache_align": true}],
  "policy": {"preset": "linux-6.1"},
  "workload": {"trace": "$top/workloads/traces/hackbench-6.1-8cpu.txt.zst"},
  "sweep": {
    "policy.partial_accounting": ["objects", "pages"],
    "policy.min_partial": {"from": 5, "to": 14},
    "policy.cpu_partial": [0, 6, 13, 30, 52, 100]
  } }
END
"$SLABSIM" sweep "$dir/sweep.json" -o "$dir/here" -q

# wait_for JOB: until it is no longer queued or running.
wait_for() {
  for _ in $(seq 600); do
    [ -n "$(squeue -h -j "$1" -t PD,R,CG 2>/dev/null)" ] || return 0
    sleep 0.2
  done
  fail "job $1 does not end: $(squeue 2>&1)"
}

check() { # WHAT
  cmp "$dir/here/results.json" "$dir/out/all/results.json" || fail "$1: results.json differs"
  cmp "$dir/here/results.csv" "$dir/out/all/results.csv" || fail "$1: results.csv differs"
  echo "slurm test: $1: the same bytes as on one machine"
}

cd "$dir"
job=$("$top/configs/slurm/submit.sh" "$dir/sweep.json" "$dir/out" 4) || fail "cannot submit"
wait_for "$job"
check "an array of 4 tasks, merged"

# A task cancelled in the middle; the merge says what is missing, and submitting again does it.
rm -rf "$dir/out"
job=$("$top/configs/slurm/submit.sh" "$dir/sweep.json" "$dir/out" 2 --hold) || fail "cannot submit"
array=$(squeue -h -o %F -n slabsim | head -1)
scontrol release "$array"
for _ in $(seq 300); do
  [ "$(cat "$dir"/out/part-1/journal.jsonl 2>/dev/null | wc -l)" -ge 5 ] && break
  sleep 0.02
done
scancel "${array}_1"
wait_for "$job"
done_before=$(($(wc -l <"$dir/out/part-1/journal.jsonl") - 1))
if [ "$done_before" -lt 60 ]; then
  grep -q "runs are in none of the folders" "$dir/out/logs/merge.log" || fail "the merge does not say what is missing"
  echo "slurm test: cancelled after $done_before of 60 runs: $(tail -1 "$dir/out/logs/merge.log")"
fi
job=$("$top/configs/slurm/submit.sh" "$dir/sweep.json" "$dir/out" 2) || fail "cannot submit again"
wait_for "$job"
check "cancelled, submitted again"
