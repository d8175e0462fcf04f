// The contract
export type { Answer, ChatMessage, ChatRequest, Completion, ContextOverflow, ModelClient } from './client.ts';
// Leaves
export { connectOpenAi, type OpenAiOptions } from './openai.ts';
