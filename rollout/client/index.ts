// The contract

// Leaves
export { type AnthropicOptions, connectAnthropic } from './anthropic.ts';
export type {
  Answer,
  AnswerPart,
  ChatMessage,
  ChatRequest,
  Completion,
  ContextOverflow,
  ModelClient,
  ToolCall,
  ToolDefinition,
} from './client.ts';
export { connectFusion } from './fusion.ts';
// Presets of several models
export { type FusionPreset, readFusionPreset } from './fusion-preset.ts';
export { connectOpenAi, type OpenAiOptions } from './openai.ts';
export type { ClientOptions } from './options.ts';
export { makeReplayClient, type RecordedAnswer } from './replay.ts';
// Reading answers
export { looksLikeCall } from './tool-check.ts';
