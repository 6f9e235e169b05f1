import type { Ai } from "@frontdesk/core/contract/rest/ai";
import { aiCauseText } from "@frontdesk/core/domain/ai/ai-settings";
import type { ShownAi } from "./get-ai.ts";

/** The settings of the AI as the REST API shows them: without the key. */
export function presentAi(ai: ShownAi): Ai {
  const { widgets, channels, handoff_rules: rules, ...settings } = ai.settings;
  return {
    type: "ai",
    id: ai.teamId,
    attributes: {
      ...settings,
      widgets: widgets === "all" ? widgets : [...widgets],
      channels: [...channels],
      handoff_rules: {
        ...{ words: [...rules.words], pages: [...rules.pages], tags: [...rules.tags] },
        custom_data: [...rules.custom_data],
      },
      api_key_set: ai.hasKey,
      api_key_last: ai.keyLast,
      agent_id: ai.agentId,
      state: ai.state,
      state_reason: ai.cause && aiCauseText[ai.cause],
      state_cause: ai.cause,
      operator_model: ai.operatorModel,
      tokens_today: ai.tokensToday,
      tokens_this_month: ai.tokensThisMonth,
    },
  };
}
