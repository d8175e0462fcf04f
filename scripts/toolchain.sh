# Sourced by setup, test and demo: goes to the checkout's root and puts a fitting Node on PATH.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/trainer-bridge/python/.venv
cd "$root" || exit
# torch and transformers take a minute to compile: once, not at each start.
unset PYTHONDONTWRITEBYTECODE

# Node 20.19 or newer, with npm beside it.
node_fits() {
  command -v node >/dev/null && command -v npm >/dev/null &&
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}

use_node() {
  node_fits && return 0
  PATH=$venv/bin:$PATH
  hash -r
  node_fits
}
