import { ServiceError } from "../service/service-error.ts";
import { t } from "../texts/texts.ts";
import { inOwnWords } from "./in-own-words.ts";

/** What to tell somebody of something that did not work. */
export function problemText(error: unknown): string {
  if (error instanceof ServiceError && error.status === 0) return t("noConnection");
  if (error instanceof Error && error.message) return inOwnWords(error.message);
  return t("somethingWrong");
}
