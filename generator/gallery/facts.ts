import type { Act, Check, Probe, SetupOperation, TaskEvent, WorkerOperation } from '../../env/index.ts';

export function drawOperation(operation: SetupOperation): string {
  switch (operation.type) {
    case 'file':
      return `file ${code(operation.path)}: ${code(operation.content.trimEnd())}`;
    case 'option':
      return `option ${code(operation.name)}: ${code(operation.value)}`;
    case 'window':
      return `window ${code(operation.name)} with a shell${inSession(operation.session)}`;
    case 'tmux':
      return code(['tmux', ...operation.argv].join(' '));
    case 'shell':
      return `script ${code(operation.script)}`;
    case 'worker':
      return drawWorker(operation);
  }
}

function drawWorker(worker: WorkerOperation): string {
  const place = worker.split === undefined ? '' : `, in a pane of window ${code(worker.split)}`;
  const facts = [
    ...(worker.screen.length === 0 ? [] : [`shows ${lines(worker.screen)}`]),
    ...(worker.dead === null ? [] : [`is dead, status ${worker.dead.status}`]),
    ...(worker.restart.length === 0 ? [] : [`started again it prints ${lines(worker.restart)}`]),
    ...(worker.acts ?? []).map((act) => `at ${seconds(act.afterMs)} ${drawAct(act)}`),
    ...(worker.hears ?? []).map(
      ({ line, acts }) =>
        `${line === null ? 'any other line' : code(line)} is answered by ${acts.map(drawAct).join(', ') || 'nothing'}`,
    ),
  ];
  return `worker ${code(worker.name)}${inSession(worker.session)}${place}: ${facts.join('; ')}`;
}

function drawAct(act: Act): string {
  switch (act.type) {
    case 'print':
      return lines(act.lines);
    case 'beat':
      return `${lines(act.lines)} every ${seconds(act.everyMs)}`;
    case 'bell':
      return 'a bell';
    case 'exit':
      return `an exit with status ${act.status}`;
    case 'signal':
      return `a signal on channel ${code(act.channel)}`;
    case 'fire':
      return `the event ${code(act.event)}`;
  }
}

export function drawEvent(event: TaskEvent): string {
  const when = event.atMs === null ? 'when something makes it, or never' : `at ${seconds(event.atMs)}`;
  const until = event.deadlineMs === null ? 'to the end' : `for ${seconds(event.deadlineMs)}`;
  return `${code(event.id)}: ${event.kind} of ${code(event.worker)} ${when}, in time ${until}${drawPayload(event)}`;
}

function drawPayload(event: TaskEvent): string {
  switch (event.kind) {
    case 'death':
      return `; says ${lines(event.says)}, exits with status ${event.status}`;
    case 'activity':
      return `; says ${lines(event.says)}`;
    case 'silence':
      return `; ${lines(event.beat)} every ${seconds(event.everyMs)} until then; ${code(event.ack)} is answered by ${lines(event.receipt)}`;
    case 'bell':
      return `; ${code(event.ack)} is answered by ${lines(event.receipt)}`;
    case 'completion':
      return `; says ${lines(event.says)}${event.channel === null ? '' : `, signals channel ${code(event.channel)}`}`;
    case 'interrupt':
      return `; asks ${lines(event.asks)}; ${code(event.answer)} is answered by ${lines(event.receipt)}`;
  }
}

export function drawCheck({ id, role, event, required, probe, op, expect }: Check): string {
  const whose = event === null ? role : `${role}, event ${code(event)}`;
  return `${code(id)} (${whose}${required ? ', required' : ''}): ${drawProbe(probe)} ${op} ${lines(expect)}`.trimEnd();
}

function drawProbe(probe: Probe): string {
  switch (probe.type) {
    case 'file':
      return `file ${code(probe.path)}`;
    case 'tmux':
      return code(['tmux', ...probe.argv].join(' '));
    case 'heard':
      return `times that ${code(probe.line)} was typed to ${code(probe.worker)}`;
    case 'started':
      return `later starts of ${code(probe.worker)}`;
    case 'event':
      return `${probe.field} of event ${code(probe.event)}`;
    case 'commands':
      return `times that ${code(probe.command)} was run`;
    case 'shell':
      return `output of ${code(probe.query)}`;
  }
}

function inSession(session: string | undefined): string {
  return session === undefined ? '' : ` of session ${code(session)}`;
}

function lines(texts: readonly string[]): string {
  return texts.map(code).join(' ');
}

/** As inline code, whatever it holds. */
function code(text: string): string {
  const shown = showSecrets(text).replaceAll('\n', '⏎');
  const fence = '`'.repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  return fence.length === 1 ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}

/** `⟨0⟩` for the first secret of the episode. */
export function showSecrets(text: string): string {
  return text.replaceAll(/\{\{slot:(\d+)\}\}/g, '⟨$1⟩');
}

function seconds(ms: number): string {
  return String(ms / 1_000);
}
