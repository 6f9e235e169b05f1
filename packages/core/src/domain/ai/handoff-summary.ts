/** The note by which the team learns what a conversation is about that the AI has handed over. */

import { bestWidgetLanguage, type WidgetLanguage } from "../widget-settings.ts";
import { plainAnswer, REMOVED_ADDRESS } from "./plain-answer.ts";

/** Messages of an episode that are worth a summary; fewer are read as fast. */
export const SUMMARY_MESSAGES_MIN = 4;

const headings: Readonly<Record<WidgetLanguage, { summary: string; sources: string }>> = {
  en: { summary: "Summary by AI", sources: "Sources" },
  de: { summary: "Zusammenfassung der KI", sources: "Quellen" },
  fr: { summary: "Résumé de l’IA", sources: "Sources" },
  es: { summary: "Resumen de la IA", sources: "Fuentes" },
  "pt-BR": { summary: "Resumo da IA", sources: "Fontes" },
  ru: { summary: "Сводка от ИИ", sources: "Источники" },
  ar: { summary: "ملخص من الذكاء الاصطناعي", sources: "المصادر" },
  hi: { summary: "AI का सारांश", sources: "स्रोत" },
  ja: { summary: "AIによる要約", sources: "出典" },
  "zh-CN": { summary: "AI 摘要", sources: "来源" },
};

/** An article that an answer in the conversation rests on. */
export interface SummarySource {
  title: string;
  url: string | null;
}

/**
 * The note, as plain text. A visitor may have told the model what to write, so no address of it is kept, and only those of the
 * sources are shown. Null when nothing is left to say.
 *
 * @param language BCP 47, of the conversation
 */
export function summaryNote({
  written,
  sources,
  language,
}: {
  written: string;
  sources: readonly SummarySource[];
  language: string;
}): string | null {
  const text = plainAnswer(written, () => false).replaceAll(REMOVED_ADDRESS, "…");
  if (!/[\p{L}\p{N}]/u.test(text)) return null;
  const heading = headings[bestWidgetLanguage([language])];
  const list = sources.map(({ title, url }) => `- ${title}${url === null ? "" : ` (${url})`}`);
  return [`${heading.summary}:\n${text}`, ...(list.length > 0 ? [`${heading.sources}:\n${list.join("\n")}`] : [])].join(
    "\n\n",
  );
}
