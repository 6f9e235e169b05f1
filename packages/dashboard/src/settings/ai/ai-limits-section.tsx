import type { Ai } from "@frontdesk/core/contract/rest/ai";
import { aiBounds } from "@frontdesk/core/domain/ai/ai-settings";
import { locale, t } from "../../texts/texts.ts";
import { Section } from "../../ui/page.tsx";
import type { AiEdit } from "./ai-query.ts";
import { WholeNumberField } from "./whole-number-field.tsx";

/** What it may spend. */
export function AiLimitsSection({ draft, set, problemOf, ai }: AiEdit & { ai: Ai["attributes"] }) {
  const number = new Intl.NumberFormat(locale);
  const bounds = { min: aiBounds.TOKENS_MIN, max: aiBounds.TOKENS_MAX };
  return (
    <Section title={t("ai.limits")} text={t("ai.limitsText")}>
      <div className="grid gap-4 md:grid-cols-2">
        <WholeNumberField
          label={t("ai.tokensDay")}
          hint={t("ai.tokensUsedToday", { used: number.format(ai.tokens_today) })}
          {...bounds}
          value={draft.tokens_a_day}
          onChange={(tokens_a_day) => set({ tokens_a_day })}
          problem={problemOf("tokens_a_day")}
        />
        <WholeNumberField
          label={t("ai.tokensMonth")}
          hint={t("ai.tokensUsedMonth", { used: number.format(ai.tokens_this_month) })}
          {...bounds}
          value={draft.tokens_a_month}
          onChange={(tokens_a_month) => set({ tokens_a_month })}
          problem={problemOf("tokens_a_month")}
        />
      </div>
    </Section>
  );
}
