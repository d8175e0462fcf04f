/** A call of a function that a model asked for. */
export interface ToolCall {
  /** The server's own, unique in its conversation. */
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; it may not be JSON at all. */
  readonly arguments: string;
}

/** One message of a conversation. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  /** What a call gave; follows the assistant's message that holds the call. */
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

/** A function that a model may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Offered to the model, which may call one or answer in words. @default none */
  readonly tools?: readonly ToolDefinition[];
  /** 0 is greedy; null leaves it to the server. */
  readonly temperature: number | null;
  /** Tokens of the answer, at most. */
  readonly maxTokens: number;
  /** Sent where the temperature is above 0 and the server takes seeds. */
  readonly seed: number;
  /** Aborts the request; complete() then throws its reason. */
  readonly signal?: AbortSignal;
}

/** What one model of several wrote on the way to an answer. */
export interface AnswerPart {
  readonly part: 'panel' | 'judge' | 'synthesizer';
  readonly model: string;
  readonly text: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** What the model wrote. The token fields are there where the server gives them; they are never made by tokenising. */
export interface Answer {
  readonly type: 'answer';
  readonly text: string;
  /** In the order in which the model made them. */
  readonly toolCalls: readonly ToolCall[];
  /** `stop`, `tool_calls`, `length` where `maxTokens` cut the answer, or the server's own word. */
  readonly finishReason: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** US dollars, as the server counts them. */
  readonly costUsd?: number;
  readonly promptTokenIds?: readonly number[];
  readonly tokenIds?: readonly number[];
  /** As long as `tokenIds` where both are given. */
  readonly logprobs?: readonly number[];
  /** Where several models made the answer: all that they wrote, in order. */
  readonly parts?: readonly AnswerPart[];
}

/** The conversation and its answer do not fit the model's context. Final: a repeat would say the same. */
export interface ContextOverflow {
  readonly type: 'context-overflow';
  readonly message: string;
}

export type Completion = Answer | ContextOverflow;

/** A model that answers conversations. Calls may overlap. */
export interface ModelClient {
  /** The model's name, as the server knows it. */
  readonly model: string;
  /**
   * Asks for one answer, with bounded retries of what may pass (connection, overload, server error, an answer of another
   * form). Asking is all that is repeated; an answer is handed out once. Throws a BoundaryError (`model`) where the
   * server gave none: `E_MODEL_UNREACHABLE`, `E_MODEL_TIMEOUT`, `E_MODEL_REFUSED`, `E_MODEL_ANSWER`.
   */
  complete(request: ChatRequest): Promise<Completion>;
  /**
   * Proves by a request that tools can be called, so that a server which cannot is found before anything is played.
   * Throws an InputError (`E_TOOLS`), and whatever complete() throws.
   */
  requireTools(): Promise<void>;
  /** Whether the server answers at all, asked once and shortly. */
  isReachable(): Promise<boolean>;
}
