import { InputError } from '../../env/index.ts';
import type { BudgetStop } from './budget.ts';
import { makeRunConfig } from './config.ts';
import { deriveResults } from './derive.ts';
import { openRunFolder } from './folder.ts';
import { planEpisodes } from './plan.ts';
import { playRemaining } from './play.ts';
import { RunProgress } from './progress.ts';
import { readMeasured } from './recorded-summary.ts';
import type { RunOptions } from './run-options.ts';
import type { RunSummary } from './run-summary.ts';
import { defaultSetting } from './setting.ts';
import type { Measured } from './throughput.ts';

/**
 * Plays a policy through all tasks, in a run folder, and derives its results. Running it again continues where it
 * stopped, however it stopped; a finished run is left as it is. An episode counts once its line is on the disk.
 * Throws an InputError for what cannot be run and a BoundaryError where the machinery does not start or the model
 * server is gone; what finished is kept then, and its results are derived. Returns after an abort, with
 * `complete: false`, and where a limit of the budget was reached, with `stopped_by`.
 */
export async function runEpisodes(options: RunOptions): Promise<RunSummary> {
  const {
    policy,
    tasks,
    samples = 1,
    split = null,
    selection = {},
    timeoutMs = null,
    setting = defaultSetting,
  } = options;
  const planned = planEpisodes(tasks, samples);
  if (planned.length === 0) throw noEpisodes();
  const config = makeRunConfig({ policy, tasks, samples, split, selection, timeoutMs, setting });
  using folder = await openRunFolder({ folder: options.folder, config, tasks, clean: options.clean ?? false });
  const progress = new RunProgress(planned, folder.finished, options.onProgress);

  let measured: Measured = readMeasured(folder.paths.summary);
  let stoppedBy: BudgetStop | null = null;
  let failure: { readonly error: unknown } | null = null;
  try {
    if (progress.remaining.length > 0) ({ stoppedBy, ...measured } = await playRemaining(options, folder, progress));
  } catch (error) {
    failure = { error };
  }
  const { paths } = folder;
  if (failure !== null && progress.records.length === 0 && !options.signal.aborted) throw failure.error;
  const complete = progress.remaining.length === 0;
  const { records } = progress;
  const summary = await deriveResults({ paths, config: folder.config, records, measured, complete, stoppedBy });
  if (failure !== null && !options.signal.aborted) throw failure.error;
  return summary;
}

function noEpisodes(): InputError {
  return new InputError({ code: 'E_TASKS', what: 'Cannot run without tasks', expected: 'at least one', found: 'none' });
}
