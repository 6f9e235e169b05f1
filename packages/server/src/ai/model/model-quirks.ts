/** What one model on one server takes otherwise than the interface says. */
export interface ModelQuirks {
  /** Reasoning models: the answer's bound has another name. */
  limitName: "max_tokens" | "max_completion_tokens";
  takesTemperature: boolean;
  /** Older servers do not know how to be asked for usage. */
  takesStreamOptions: boolean;
  takesEncodingFormat: boolean;
  /** Its thinking begins without the opening tag (`without-thoughts.ts`). */
  beginsThinking: boolean;
}

export type QuirkMemory = Map<string, ModelQuirks>;

const PLAIN: ModelQuirks = {
  ...{ limitName: "max_tokens", takesTemperature: true, takesStreamOptions: true, takesEncodingFormat: true },
  beginsThinking: false,
};
/** Teams can name any number of models. */
const REMEMBERED_MAX = 1_000;

/** What is remembered of a model, in this process. */
export function quirksOf(memory: QuirkMemory, { baseUrl, model }: { baseUrl: string; model: string }): ModelQuirks {
  return memory.get(keyOf(baseUrl, model)) ?? PLAIN;
}

export function remember(
  memory: QuirkMemory,
  { baseUrl, model }: { baseUrl: string; model: string },
  quirks: ModelQuirks,
): void {
  const key = keyOf(baseUrl, model);
  memory.delete(key);
  memory.set(key, quirks);
  const [oldest] = memory.keys();
  if (memory.size > REMEMBERED_MAX && oldest !== undefined) memory.delete(oldest);
}

/**
 * The quirks that a refusal (400 or 422) tells of, when the same request can be made without what was refused; else undefined.
 * A request can be refused for one field after another, but never twice for the same.
 */
export function learnedQuirks(quirks: ModelQuirks, refusal: string): ModelQuirks | undefined {
  if (
    quirks.limitName === "max_tokens" &&
    /max_completion_tokens|\bmax_tokens\b.*(unsupported|not supported|unknown|unrecognized)|(unsupported|not supported|unknown|unrecognized).*\bmax_tokens\b/is.test(
      refusal,
    )
  )
    return { ...quirks, limitName: "max_completion_tokens" };
  if (quirks.takesTemperature && /\btemperature\b/i.test(refusal)) return { ...quirks, takesTemperature: false };
  if (quirks.takesStreamOptions && /\b(stream_options|include_usage)\b/i.test(refusal))
    return { ...quirks, takesStreamOptions: false };
  if (quirks.takesEncodingFormat && /\bencoding_format\b/i.test(refusal))
    return { ...quirks, takesEncodingFormat: false };
  return undefined;
}

const keyOf = (baseUrl: string, model: string): string => `${baseUrl} ${model}`;
