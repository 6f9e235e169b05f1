import { useAi } from "../inbox/live-inbox.ts";
import { t } from "../texts/texts.ts";

/** What the built-in AI is called; where no one has set it up any more, what it is. */
export const useNameOfAi = (): string => useAi()?.name ?? t("ai.assistant");
