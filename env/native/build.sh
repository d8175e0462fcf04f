#!/usr/bin/env bash
# Compiles the small programs that run inside a sandbox into build/native; skips what is newer than its sources.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../.." && pwd)/build/native
mkdir -p "$out"
for name in holder sleep timeout launcher; do
  newest=$(ls -t "$here/$name.c" "$here"/*.h "$here/build.sh" | head -1)
  if [ -x "$out/$name" ] && [ "$out/$name" -nt "$newest" ]; then continue; fi
  gcc -std=gnu17 -O2 -Wall -Wextra -Werror -static -o "$out/$name.new" "$here/$name.c" -lm
  mv "$out/$name.new" "$out/$name"
  chmod 755 "$out/$name"
done
