import { t } from "../../texts/texts.ts";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import type { AiEdit } from "./ai-query.ts";

/** What agents get of it. */
export function AiTeamSection({ draft, set }: AiEdit) {
  return (
    <Section title={t("ai.team")}>
      <Switch
        label={t("ai.ghost")}
        hint={t("ai.ghostHint")}
        checked={draft.ghost_text}
        onChange={(ghost_text) => set({ ghost_text })}
      />
    </Section>
  );
}
