import { createParser } from "eventsource-parser";
import { thoughtFilter } from "./without-thoughts.ts";

/** A longer line, or event, is none of this interface. */
export const LINE_MAX = 256 * 1_024;

/** What has been read of an answer with status 200. */
export interface ReadAnswer {
  /** Without what the model thought aloud. */
  text: string;
  /** The last reason that is no empty text, lower case; null without any. */
  finish: string | null;
  /** What the server has told, when it is plausible. */
  usage: { tokensIn: number; tokensOut: number } | null;
  /** The answer says that it is whole: a finish reason or `[DONE]`. */
  hasEnd: boolean;
  /** An error told within the answer. */
  error: { message: string; code: string } | null;
  /** Why it cannot be read at all. */
  garbage: string | null;
  refused: boolean;
  /** Its text has more characters than it may have. */
  isTooLong: boolean;
  streamed: boolean;
  /** The model thinks without an opening tag; to be remembered. */
  beginsThinking: boolean;
}

export interface AnswerReader {
  /** Bytes as they arrive; "enough" after the end mark or an error. */
  take(piece: Uint8Array): "more" | "enough";
  end(): ReadAnswer;
}

/**
 * Reads an answer of Chat Completions from bytes split anywhere: server-sent events, or one JSON document of servers that do not
 * stream. Which of them is told by the first character, since some name the wrong content type.
 */
export function answerReader({
  onText,
  beginsThinking = false,
  textMax = Number.POSITIVE_INFINITY,
}: {
  /** `soFar`: all of the text; it begins anew when what came before turns out to be thinking. */
  onText?: ((piece: string, soFar: string) => void) | undefined;
  beginsThinking?: boolean;
  /** In characters, thinking aside: a model that goes on for longer is not read any more. */
  textMax?: number;
}): AnswerReader {
  const decoder = new TextDecoder();
  const filter = thoughtFilter(beginsThinking);
  const read: ReadAnswer = {
    ...{ text: "", finish: null, usage: null, hasEnd: false, error: null, garbage: null },
    ...{ refused: false, isTooLong: false, streamed: true, beginsThinking },
  };
  let document: string | undefined;
  let hasBegun = false;
  let isDone = false;
  let events = 0;
  let otherLines = 0;
  const parser = createParser({
    maxBufferSize: LINE_MAX,
    onEvent: ({ data }) => takeData(data),
    onError: ({ type, field, value }) => {
      if (type === "max-buffer-size-exceeded") read.garbage = "a line is too long";
      // llama.cpp: an error as a field of its own.
      else if (field === "error") takeData(`{"error":${value || '"unknown"'}}`);
      else otherLines += 1;
    },
  });

  return {
    take(piece) {
      feed(decoder.decode(piece, { stream: true }));
      return isOver() ? "enough" : "more";
    },
    end() {
      feed(decoder.decode());
      if (document !== undefined) readDocument(document);
      // The last event of some servers lacks its blank line.
      else if (!read.garbage) parser.feed("\n\n");
      if (events === 0 && otherLines > 0) read.garbage ??= "it has lines that are no events";
      show(filter.end());
      return { ...read, text: filter.text.trim(), beginsThinking: filter.beganThinking };
    },
  };

  function show(piece: string): void {
    if (filter.text.length > textMax) read.isTooLong = true;
    else if (piece !== "") onText?.(piece, filter.text);
  }

  function isOver(): boolean {
    return read.isTooLong || read.garbage !== null || read.error !== null || (read.streamed && isDone);
  }

  function feed(text: string): void {
    const fresh = hasBegun ? text : text.trimStart();
    if (fresh === "" || isOver()) return;
    if (!hasBegun && fresh.startsWith("{")) document = "";
    if (!hasBegun && fresh.startsWith("<")) read.garbage = "it is a page";
    hasBegun = true;
    if (read.garbage) return;
    if (document !== undefined) document += fresh;
    else parser.feed(fresh);
  }

  function takeData(data: string): void {
    if (isOver() || data.trim() === "") return;
    if (data.trim() === "[DONE]") {
      isDone = true;
      read.hasEnd = true;
      return;
    }
    events += 1;
    const chunk = parseObject(data);
    if (!chunk) read.garbage = "an event is no JSON object";
    else takeChunk(chunk);
  }

  function readDocument(text: string): void {
    read.streamed = false;
    const whole = parseObject(text);
    if (!whole) read.garbage = "it is no JSON";
    else takeChunk(whole);
    if (whole && !read.error && !Array.isArray(whole.choices)) read.garbage = "it has no choices";
    // JSON that can be parsed is whole.
    read.hasEnd = true;
  }

  function takeChunk(chunk: JsonObject): void {
    read.error ??= errorOf(chunk);
    read.usage = usageOf(chunk.usage) ?? usageOf(objectOf(chunk.x_groq)?.usage) ?? read.usage;
    const choices = Array.isArray(chunk.choices) ? chunk.choices.map(objectOf) : [];
    const choice = choices.find((each) => each && (each.index ?? 0) === 0);
    if (!choice) return;
    read.error ??= errorOf(choice);
    const said = objectOf(choice.delta) ?? objectOf(choice.message);
    if (typeof said?.refusal === "string" && said.refusal !== "") read.refused = true;
    show(filter.take(textOf(said?.content)));
    if (typeof choice.finish_reason !== "string" || choice.finish_reason === "") return;
    read.finish = choice.finish_reason.toLowerCase();
    read.hasEnd = true;
  }
}

type JsonObject = Record<string, unknown>;

function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A text, or parts of which some are thinking (Mistral's). */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(objectOf)
    .map((part) => (part?.type === "text" && typeof part.text === "string" ? part.text : ""))
    .join("");
}

function usageOf(value: unknown): ReadAnswer["usage"] {
  const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = objectOf(value) ?? {};
  // Zero is what servers say that do not count.
  const isCount = (count: unknown): count is number => Number.isInteger(count) && (count as number) > 0;
  return isCount(tokensIn) ? { tokensIn, tokensOut: isCount(tokensOut) ? tokensOut : 0 } : null;
}

/** The error of an answer, in the forms that servers have: an object, or its message alone. */
export function errorOf(answer: Record<string, unknown>): ReadAnswer["error"] {
  const { error, message, detail, object } = answer;
  const known = objectOf(error);
  const code = String(known?.code ?? known?.type ?? answer.code ?? "");
  if (known) return { message: String(known.message ?? JSON.stringify(known)), code };
  if (typeof error === "string" && error !== "") return { message: error, code };
  if (object === "error" || !("choices" in answer)) {
    if (typeof message === "string") return { message, code };
    if (typeof detail === "string") return { message: detail, code };
  }
  return null;
}
