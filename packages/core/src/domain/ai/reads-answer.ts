import { type ModelAct, modelActs } from "./ai-settings.ts";

/** What the model wrote: what it wants to do, and what it wants to say. */
export interface ModelAnswer {
  act: ModelAct;
  text: string;
  /** It takes the visitor to be upset. */
  isUpset?: true;
}

/** Signs around the word that small models put there: Markdown, quotes, brackets. */
const FIRST_LINE = new RegExp(
  `^[\\s#>*_\`"'“”«»\\[({<|-]*(${modelActs.join("|")})(?![\\p{L}\\p{N}'’-])[*_\`"'“”»\\])}>|]*[ \\t]*(?:[:：.—–-][*_\`]*[ \\t]*)?(.*)$`,
  "iu",
);
/** The mark beside the word; in small letters it may be the begin of the text. */
const UPSET_MARK = /^[*_`\s([,+|:-]*UPSET(?![\p{L}\p{N}'’-])[*_`\])|]*[ \t]*(?:[:：.—–-][*_`]*[ \t]*)?/u;
const BLOCK_OF_CODE = /^```[\w-]*\n([\s\S]*?)\n?```$/;

/**
 * Reads the one protocol that every model is asked for: a first line `ANSWER`, `ASK`, `CHAT`, `SEARCH`, `HANDOFF` or `DONE`, then
 * the text, which may begin on the same line; beside the word may be the mark `UPSET`. Letter case, Markdown and blank lines before
 * it do not matter. Undefined when there is no such line, or no text where there has to be one. What a `SEARCH` is for,
 * `model-searches.ts` tells.
 */
export function readModelAnswer(written: string): ModelAnswer | undefined {
  const trimmed = written.replace(/^\uFEFF/, "").trim();
  const text = BLOCK_OF_CODE.exec(trimmed)?.[1]?.trim() ?? trimmed;
  const [first = "", ...others] = text.split(/\r\n?|\n/);
  const read = FIRST_LINE.exec(first);
  if (!read) return undefined;
  const [, word = "", rest = ""] = read;
  const mark = UPSET_MARK.exec(rest)?.[0];
  const beside = rest.slice(mark?.length ?? 0);
  // "Done well, parcels arrive …" and "Answer the door" are sentences: beside the bare word only capitals are the protocol.
  const isBare =
    word === word.toUpperCase() ||
    beside === "" ||
    mark !== undefined ||
    /[:：—–*_]/.test(first.slice(0, first.length - beside.length));
  if (!isBare) return undefined;
  const act = word.toLowerCase() as ModelAct;
  const said = [beside, ...others].join("\n").trim();
  if (said === "" && act !== "handoff" && act !== "done") return undefined;
  return { act, text: said, ...(mark !== undefined && { isUpset: true }) };
}
