#!/bin/bash
# bash completion offers what the program knows.
# usage: completion_test.sh, from the top of the source tree; SLABSIM names the program.
set -u
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
# shellcheck source=completion/slabsim.bash
. "$top/completion/slabsim.bash"
touch "$temp/some-config.json"
fails=0

# offers LINE WORD...: all of them are offered at the end of LINE; "-WORD!" that it is not.
offers() {
  COMP_LINE="$SLABSIM $1" COMP_POINT=$((${#SLABSIM} + 1 + ${#1})) COMP_WORDS=("$SLABSIM")
  _slabsim
  for word in "${@:2}"; do
    if [[ $word == *'!' ]]; then
      [[ " ${COMPREPLY[*]} " != *" ${word%!} "* ]] || { echo "FAILED: \"$1\" offers ${word%!}"; fails=1; }
    elif [[ " ${COMPREPLY[*]} " != *" $word "* ]]; then
      echo "FAILED: \"$1\" does not offer $word, but: ${COMPREPLY[*]}"
      fails=1
    fi
  done
}

offers "" run sweep compare plot order list --version
offers "r" run 'list!'
offers "run --" --set --trace --format --output --seed --plugin --quiet --help '--jobs!'
offers "run -" -o -q -h
offers "run $temp/some" "$temp/some-config.json"
offers "run --format " text json csv 'or!'
offers "run --format=c" csv 'json!'
offers "sweep --" --resume --shard --merge --dry-run
offers "run --set policy." policy.preset= policy.cpu_partial= policy.order=
offers "run --set policy.preset=linux-6" linux-6.1 linux-6.12 'linux-7.0!' 'allocator:!'
offers "run --set policy.order=" legacy mainline feng 'objects!'
offers "run --set policy.refill=" 3.2 6.10
offers "run --set machine=" guest-8cpu two-socket-32cpu
offers "run --set replay.mode=" order timed
offers "run --set replay.merge=" true false
offers "plot --kind " counters memory partial pareto cdf lock
offers "trace " info convert cut
offers "trace cut --" --help --output
offers "order --order m" mainline min-waste-absolute 'legacy!'
offers "list " policies presets workloads machines options
offers "help r" run
[ $fails -eq 0 ]
