/** The port to a language model. One adapter so far: OpenAI-compatible Chat Completions (`chat-completions.ts`, docs/decisions/0076). */

/** A model server and the names of the models on it. */
export interface ModelConnection {
  /** Ends before `/chat/completions`: `https://api.openai.com/v1`. */
  baseUrl: string;
  model: string;
  /** Another one on the same server, asked where the first one fails (`second-model.ts`). */
  secondModel?: string;
  /** "" when the server asks for none. */
  apiKey: string;
  /** "" when there is none: `embed` then fails as `rejected`. */
  embeddingModel: string;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  /** The most tokens of the answer. */
  maxTokens: number;
  /** Left out of the request when not given, and where the model refuses it. */
  temperature?: number;
}

/** What an answer was ended by: its own end, or a finish reason that is none we know (kept as the server wrote it). */
export type ChatFinish = "stop" | (string & {});

/** A whole answer. One that was cut off by its length or by a filter is a failure instead. */
export interface ChatEnd {
  /** Without what the model thought aloud. Never empty. */
  text: string;
  tokensIn: number;
  tokensOut: number;
  /** `estimate`: the server has told no usage, and both figures are ours (`estimate-tokens.ts`). */
  tokensFrom: "server" | "estimate";
  finish: ChatFinish;
  /** The very body that was sent, JSON. It holds no key. */
  request: string;
  /** From the request to the end of the answer, retries included. */
  milliseconds: number;
  /** Until the first characters of the text; the same as `milliseconds` where the server doesn't stream. */
  firstTextMs: number;
  /** Whether the answer came piece by piece. */
  streamed: boolean;
}

export interface CallOptions {
  /** Ends the call at once, as `aborted`. */
  signal?: AbortSignal;
}

export interface ChatOptions extends CallOptions {
  /**
   * Called with each further piece of the text as it arrives. After a retry the text begins anew: a call is only repeated while
   * no piece has been given.
   */
  onText?: ((piece: string) => void) | undefined;
  /**
   * Called with all of the text so far as more of it arrives. It begins anew after a retry, and where what came before turns out
   * to be thinking; so a call is repeated as any other.
   */
  onSoFar?: ((text: string) => void) | undefined;
}

/** Both methods throw `ModelFailure` (`model-errors.ts`) and nothing else; retries have been made by then. */
export interface ModelClient {
  chat(request: ChatRequest, options?: ChatOptions): Promise<ChatEnd>;
  /** One vector for each text, in their order, all of one length. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** The names of the models that the server lists; undefined when it has no list. */
  models(signal?: AbortSignal): Promise<readonly string[] | undefined>;
}

/** Made once for the process by `createModelClients` (`model-clients.ts`). */
export interface ModelClients {
  /** Cheap: made anew for each call. Throws nothing; a base URL that may not be reached fails each call as `blocked`. */
  clientFor(connection: ModelConnection): ModelClient;
  /** Ends calls under way as `aborted`. */
  close(): void;
}
