import { t } from "../texts/texts.ts";

/** Who writes a reply: the AI must not look like a person. */
export const writerName = ({ name, by_ai }: { name: string | null; by_ai?: boolean }): string =>
  by_ai ? `${name ?? t("ai.assistant")} (${t("ai.word")})` : (name ?? "");
