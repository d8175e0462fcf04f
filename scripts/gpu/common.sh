# Sourced by setup, ladder, train and all: the checkout's root, a fitting Node, and what a GPU box must have.
# shellcheck shell=bash
# shellcheck source=scripts/toolchain.sh
source "$(dirname "${BASH_SOURCE[0]}")/../toolchain.sh"
vllm_venv=build/vllm-venv

fail() { # CODE EXIT_CODE MESSAGE HINT
  printf 'error[%s]: %s\nhint: %s\n' "$1" "$3" "$4" >&2
  exit "$2"
}
say() { printf 'gpu: %s\n' "$*" >&2; }
usage_error() { fail E_USAGE 2 "Cannot read the command line: $1, at scripts/gpu/$2" "scripts/gpu/$2 --help"; }

# Sets gpu_count, and gpu_gb to the memory of the smallest GPU in 10^9 bytes.
require_gpu() {
  command -v nvidia-smi >/dev/null ||
    fail E_GPU 3 'Cannot use a GPU: expected an NVIDIA driver, found no nvidia-smi' \
      'on the VM: install the driver; in a container: docker run --gpus all; --dry-run needs no GPU'
  local sizes
  sizes=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits 2>&1) ||
    fail E_GPU 3 "Cannot use a GPU: expected nvidia-smi to answer, found ${sizes%%$'\n'*}" \
      'the driver is installed and does not run: nvidia-smi says why; --dry-run needs no GPU'
  gpu_count=$(grep -c '[0-9]' <<<"$sizes") ||
    fail E_GPU 3 'Cannot use a GPU: expected one or more, found none' 'docker run --gpus all; --dry-run needs no GPU'
  gpu_gb=$(sort -n <<<"$sizes" | awk '/[0-9]/ { printf "%.1f", $1 * 1048576 / 1e9; exit }')
}

# Sets hardware to the plan's flags for the GPUs that are here, or to nothing where there is none.
# shellcheck disable=SC2034 # ladder and train read it
find_hardware() {
  hardware=()
  nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits >/dev/null 2>&1 || return 0
  require_gpu
  hardware=(--memory-gb "$gpu_gb" --gpus "$gpu_count")
}

require_program() {
  use_node && [ -e dist/scripts/gpu/plan.js ] ||
    fail E_SETUP 3 'Cannot plan: Node or the build is missing' 'run scripts/setup --no-train'
}

require_environments() {
  [ -x "$venv/bin/muxgym-train" ] && [ -x $vllm_venv/bin/python ] ||
    fail E_SETUP 3 'Cannot use a GPU: the trainer or vLLM is missing' 'run scripts/gpu/setup'
}

# What a model takes; exit code 2 where something is refused.
plan() { node dist/scripts/gpu/plan.js "$@"; }
muxgym() { node dist/scripts/muxgym.js "$@"; }
