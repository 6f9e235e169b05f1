import { isLanguageTag, type RewriteWay } from "@frontdesk/core/domain/ai/copilot";
import { rewritePrompt } from "@frontdesk/core/domain/ai/copilot-prompts";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import { type CopilotRequest, fenceWord } from "./copilot-request.ts";
import { openCopilot } from "./open-copilot.ts";

/** A translation may be longer than the text, in another script much longer. */
const GROWTH = 3;
const TOKENS_MIN = 200;

/**
 * What the model is asked to make another text of one. Nothing is written.
 *
 * @throws Refusal `invalid` on `text` or `language`, and `invalid` without a field when there is no model
 */
export const rewriteText: Operation<{ text: string; how: RewriteWay; language: string | null }, CopilotRequest> = {
  name: "rewrite-text",
  mode: "read",
  async run(ctx, { text, how, language }) {
    if (text.trim() === "") throw invalid({ text: "empty" });
    if (how === "translate" && language === null) throw invalid({ language: "schema.required" });
    if (language !== null && !isLanguageTag(language)) throw invalid({ language: "no-such-language" });
    const { connection, savedAt, redaction } = await openCopilot(ctx);
    const maxTokens = Math.max(TOKENS_MIN, GROWTH * estimateTokens(text));
    return {
      connection,
      savedAt,
      messages: rewritePrompt({ fence: fenceWord(ctx), text: redaction.redact(text), how, language }),
      passages: [],
      maxTokens,
      restore: redaction.restore,
    };
  },
};
