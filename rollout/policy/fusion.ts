import { InputError } from '../../env/index.ts';
import { connectFusion, type FusionPreset, readFusionPreset } from '../client/index.ts';
import { withoutSecrets } from './address.ts';
import { makeModelPolicy } from './model.ts';
import type { ModelOptions } from './model-options.ts';
import type { Policy } from './policy.ts';

/** Asks several models as one, by a preset: a panel, its judge and its synthesizer, or a gateway that holds them. */
export function makeFusionPolicy(_argument: string | null, options: ModelOptions): Policy {
  const { preset: name, requestTimeoutMs, stream, temperature } = options;
  if (name === undefined) throw presetError('E_PRESET', '--preset NAME, or a preset FILE.toml', 'none');
  const preset = readFusionPreset(name);
  const baseUrl = options.baseUrl ?? (process.env['OPENAI_BASE_URL'] || undefined);
  if (baseUrl === undefined && needsBaseUrl(preset)) {
    throw presetError('E_BASE_URL', '--base-url for the members that name none', 'none');
  }
  return makeModelPolicy({
    name: 'fusion',
    options,
    defaultTemperature: null,
    config: { preset: preset.name, preset_sha256: preset.sha256 },
    context: { base_url: baseUrl === undefined ? null : withoutSecrets(baseUrl) },
    model: preset.name,
    connect: async () => ({
      client: await connectFusion({ preset, baseUrl, requestTimeoutMs, stream, temperature }),
    }),
  });
}

function needsBaseUrl({ plan }: FusionPreset): boolean {
  const members = 'gateway' in plan ? [plan.gateway] : [...plan.panel, plan.judge, plan.synthesizer];
  return members.some(({ client, base_url }) => client === 'openai' && base_url === undefined);
}

function presetError(code: string, expected: string, found: string): InputError {
  return new InputError({ code, what: 'Cannot ask a fusion of models', where: '--policy fusion', expected, found });
}
