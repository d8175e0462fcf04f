#!/bin/bash
# Starts the supervisor of the container's task, once, and succeeds when it answers. Harbor runs this as a health check.
set -euo pipefail
run=${MUXGYM_RUN:-/run/muxgym}
mkdir -p "$run"
exec 9>"$run/.start.lock"
flock 9
mux health >/dev/null 2>&1 && exit 0
setsid muxgym supervise --task "${MUXGYM_TASK:-/opt/muxgym-task/task.jsonl}" --run "$run" \
  >"$run/supervisor.log" 2>&1 </dev/null 9>&- &
for _ in $(seq 200); do
  mux health >/dev/null 2>&1 && exit 0
  sleep 0.1
done
tail -5 "$run/supervisor.log" >&2
exit 1
