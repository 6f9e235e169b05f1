import { Languages } from "lucide-react";
import { language, t } from "../texts/texts.ts";
import { MessageText } from "./message-text.tsx";
import { hideTranslation, type Translation } from "./translations.ts";

/** A message in the agent's language, below the original. */
export function TranslatedText({ id, translation: { text, isWriting } }: { id: string; translation: Translation }) {
  return (
    <section
      aria-label={t("copilot.translation")}
      aria-busy={isWriting}
      className="rounded-menu border border-line border-dashed px-3 py-2"
    >
      <p className="mb-0.5 flex items-center gap-1.5 text-meta text-subtle" role="status">
        <Languages size={12} aria-hidden="true" />
        <span className="flex-1">{isWriting ? t("copilot.translating") : t("copilot.translation")}</span>
        <button type="button" onClick={() => hideTranslation(id)} className="text-accent-text hover:underline">
          {t("copilot.hideTranslation")}
        </button>
      </p>
      <div lang={language}>
        <MessageText text={text} />
      </div>
    </section>
  );
}
