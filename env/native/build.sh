#!/usr/bin/env bash
# Compiles the small programs that run inside a sandbox into build/native; skips what is newer than its sources.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../.." && pwd)/build/native
mkdir -p "$out"

compile() {
  local source=$1 name=$2 newest
  shift 2
  newest=$(ls -t "$here/$source.c" "$here"/*.h "$here/build.sh" | head -1)
  if [ -x "$out/$name" ] && [ "$out/$name" -nt "$newest" ]; then return; fi
  gcc -std=gnu17 -O2 -Wall -Wextra -Werror -static "$@" -o "$out/$name.new" "$here/$source.c" -lm
  mv "$out/$name.new" "$out/$name"
  chmod 755 "$out/$name"
}

for name in holder sleep timeout launcher; do compile "$name" "$name"; done
# The launcher with switches that turn a defence off; only the red team runs it.
compile launcher launcher-unguarded -DUNGUARDED
