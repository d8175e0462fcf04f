#!/usr/bin/env bash
# The floor of `muxgym bench`, frozen: bare tmux and nothing of muxgym. For each cell of the 25-cell grid (depth 0-4 x
# 1, 2, 4, 8, 16 tokens): start a server (-f /dev/null, 200x50, private TMUX_TMPDIR, HOME and cwd), open the windows,
# run the oracle script once by `bash -c`, compare its report, kill the server. No sandbox, no audit, no settling.
# A window's program is `sleep infinity`; its text is written on its terminal from outside. A worker of depth 4 is an
# `sh` that exits with 3 at its first start and prints its token at its second; its reader looks again instead of
# sleeping. A report that is not yet right is made again, since bare tmux shows text a moment after it was written.
#
# usage: floor.sh [CONCURRENCY]     prints `cells passed retries`
set -uo pipefail
concurrency=${1:-4}
base=$(mktemp -d /tmp/muxgym-floor-XXXXXX)
trap 'rm -rf "$base"' EXIT
exec 3>>"$base/results"

run_cell() {
  local depth=$1 ops=$2 index names=() tokens=() windows=() script='' tries=0
  cd "$base/$depth-$ops" || return
  export HOME=$PWD TMUX_TMPDIR=$PWD REPORT=$PWD/report.txt
  for ((index = 0; index < ops; index++)); do
    names+=("name$((10 + index))")
    tokens+=("$(printf '%04x%04x' $((RANDOM % 65536)) $((RANDOM % 65536)))")
  done
  case $depth in
    0)
      for ((index = 0; index < ops; index++)); do printf '%s\n' "${tokens[index]}" >"${names[index]}.txt"; done
      script="cat ${names[*]/%/.txt} > \$REPORT"
      ;;
    1)
      for ((index = 0; index < ops; index++)); do
        windows+=(';' set-option -g "@${names[index]}" "${tokens[index]}")
        script+="tmux show-options -gv @${names[index]} >> \$REPORT"$'\n'
      done
      ;;
    2 | 3)
      local all=$ops
      [ "$depth" = 2 ] || all=$((ops + (ops > 2 ? ops : 2)))
      for ((index = 0; index < all; index++)); do
        windows+=(';' new-window -d -n "${names[index]:-decoy$index}" sleep infinity)
        [ $index -ge "$ops" ] || script+="tmux capture-pane -p -t main:${names[index]} | sed -n 's/^token: //p' >> \$REPORT"$'\n'
      done
      ;;
    4)
      windows=(';' set-option -g remain-on-exit on)
      for ((index = 0; index < ops; index++)); do
        windows+=(';' new-window -d -n "${names[index]}" sh -c
          "[ -e .${names[index]} ] || { : > .${names[index]}; exit 3; }; echo token: ${tokens[index]}; exec sleep infinity")
      done
      ;;
  esac
  tmux -f /dev/null new-session -d -s main -n main -x 200 -y 50 sleep infinity "${windows[@]}"
  case $depth in
    2 | 3)
      local tty
      index=-1
      while read -r tty; do
        [ $index -lt 0 ] || printf 'up\ntoken: %s\n' "${tokens[index]:-ffff0000}" >"$tty"
        index=$((index + 1))
      done < <(tmux list-panes -s -t main -F '#{pane_tty}')
      ;;
    4)
      for ((index = 0; index < ops; index++)); do
        script+="until tmux respawn-pane -t main:${names[index]} 2> /dev/null; do :; done"$'\n'
      done
      for ((index = 0; index < ops; index++)); do
        script+="until tmux capture-pane -p -t main:${names[index]} | sed -n 's/^token: //p' | grep . >> \$REPORT; do :; done"$'\n'
      done
      ;;
  esac
  until bash -c "$script" && [ "$(<"$REPORT")" = "$(printf '%s\n' "${tokens[@]}")" ]; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || break
    : >"$REPORT"
  done
  tmux kill-server
  [ $tries -lt 50 ] && printf 'passed %s\n' "$tries" >&3
}

cells=0
folders=()
for depth in 0 1 2 3 4; do for ops in 1 2 4 8 16; do folders+=("$base/$depth-$ops"); done; done
mkdir "${folders[@]}"
# shellcheck disable=SC2154 # assigned by the loop itself
trap 'for folder in "${folders[@]}"; do TMUX_TMPDIR=$folder tmux kill-server 2> /dev/null; done; exit 130' INT TERM
for depth in 0 1 2 3 4; do
  for ops in 1 2 4 8 16; do
    cells=$((cells + 1))
    [ $cells -le "$concurrency" ] || wait -n
    run_cell $depth $ops </dev/null &
  done
done
wait
passed=0 retries=0
while read -r _ tries; do
  passed=$((passed + 1))
  retries=$((retries + tries))
done <"$base/results"
echo "$cells $passed $retries"
