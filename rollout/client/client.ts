/** One message of a conversation. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** 0 is greedy. */
  readonly temperature: number;
  /** Tokens of the answer, at most. */
  readonly maxTokens: number;
  /** Sent where the temperature is above 0 and the server takes seeds. */
  readonly seed: number;
  /** Aborts the request; complete() then throws its reason. */
  readonly signal?: AbortSignal;
}

/** What the model wrote. The token fields are there where the server gives them; they are never made by tokenising. */
export interface Answer {
  readonly type: 'answer';
  readonly text: string;
  /** `stop`, `length` where `maxTokens` cut the answer, or the server's own word. */
  readonly finishReason: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly promptTokenIds?: readonly number[];
  readonly tokenIds?: readonly number[];
  /** As long as `tokenIds` where both are given. */
  readonly logprobs?: readonly number[];
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
   * Asks for one answer, with bounded retries of what may pass (connection, overload, server error). Throws a
   * BoundaryError (`model`) where the server gave none: `E_MODEL_UNREACHABLE`, `E_MODEL_TIMEOUT`, `E_MODEL_REFUSED`,
   * `E_MODEL_ANSWER`.
   */
  complete(request: ChatRequest): Promise<Completion>;
  /** Whether the server answers at all, asked once and shortly. */
  isReachable(): Promise<boolean>;
}
