# bash completion for slabsim(1). What can be completed is asked of the program itself.

# The long and short options in a help text.
_slabsim_options() {
  "$1" "${@:2}" --help 2>/dev/null | grep -o -E '^ +(-[a-zA-Z], )?--[a-z][a-z-]*(=|\[=)?|, --[a-z][a-z-]*' |
    grep -o -E -- '-(-[a-z][a-z-]*|[a-zA-Z])'
}

# First words of "slabsim list WHAT"; of policies, without axes and explanations.
_slabsim_names() {
  "$1" list "$2" 2>/dev/null | sed -n 's/^  \([a-z0-9][^ ]*\) .*/\1/p'
}

# PATH=VALUE: keys of a config, then what a key takes.
_slabsim_set() {
  local program=$1 word=$2 key axis
  if [[ $word != *=* ]]; then
    compopt -o nospace 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -S = -W "$("$program" list options 2>/dev/null |
      sed -n 's/^\([a-z_.]*\): .*/\1/p')" -- "$word")
    return
  fi
  key=${word%%=*} word=${word#*=}
  case $key in
    policy.preset) mapfile -t COMPREPLY < <(compgen -W "$(_slabsim_names "$program" presets |
      grep ^linux)" -- "$word") ;;
    machine) mapfile -t COMPREPLY < <(compgen -W "$(_slabsim_names "$program" machines)" -- "$word") ;;
    policy.*)
      axis=${key#policy.}
      mapfile -t COMPREPLY < <(compgen -W "$("$program" list policies 2>/dev/null |
        sed -n "/^$axis:/,/^\$/s/^  \([a-z0-9][^ ]*\) .*/\1/p")" -- "$word") ;;
    *)
      mapfile -t COMPREPLY < <(compgen -W "$("$program" list options 2>/dev/null |
        sed -n "s/^${key//./\\.}: //p" | grep -o -E '"[^" ]+"|true|false' | tr -d '"')" -- "$word") ;;
  esac
}

_slabsim() {
  local program=${COMP_WORDS[0]} line word previous command i
  # Words are split at = and :, but PATH=VALUE is one to us.
  line=${COMP_LINE:0:COMP_POINT}
  word=${line##*[[:space:]]}
  line=${line%"$word"}
  read -r -a words <<<"$line"
  previous=${words[-1]}
  COMPREPLY=()
  command=
  for ((i = 1; i < ${#words[@]}; i++)); do
    [[ ${words[i]} == -* ]] || { command=${words[i]}; break; }
  done
  if [[ $word == --*=* ]]; then
    previous=${word%%=*} word=${word#*=}
  fi

  case $previous in
    --set) _slabsim_set "$program" "$word" ;;
    --format)
      mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --help 2>/dev/null |
        sed -n 's/^ *--format FORMAT *//p' | tr -d ',' | sed 's/([a-z]*)//; s/ or / /')" -- "$word") ;;
    --kind)
      mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --help 2>/dev/null |
        sed -n '/--kind KIND/,/^      --metric/s/^        \([a-z][a-z, ()]*\)  .*/\1/p' |
        sed 's/(default)//; s/,/ /g')" -- "$word") ;;
    --order)
      mapfile -t COMPREPLY < <(compgen -W "$("$program" list policies 2>/dev/null |
        sed -n '/^order:/,/^$/s/^  \([a-z][^ ]*\) .*/\1/p')" -- "$word") ;;
    --seed | --seeds | --threads | --jobs | -j | --shard | --sizes | --align | --cpus | --page-size | --baseline | \
      --figure | --cache) ;;
    --trace | --output | -o | --plugin | --published | --plot | --slabinfo)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    *)
      if [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null |
          sed -n 's/^  \([a-z]*\) .*/\1/p') help --help --version" -- "$word")
      elif [[ $word == -* ]]; then
        local sub=
        [[ $command != trace ]] || sub=${words[i + 1]:-}
        mapfile -t COMPREPLY < <(compgen -W "$(_slabsim_options "$program" "$command" ${sub:+"$sub"})" -- "$word")
      elif [[ $command == list || $command == help ]]; then
        local from='list --help'
        [[ $command == list ]] || from=--help
        # shellcheck disable=SC2086
        mapfile -t COMPREPLY < <(compgen -W "$("$program" $from 2>/dev/null |
          sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$word")
      elif [[ $command == trace && $previous == trace ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" trace --help 2>/dev/null |
          sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$word")
      else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
  esac
}

complete -F _slabsim slabsim
