import { isUnanswered, reasonIn } from "../service/service-error.ts";
import { refusalText } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";

/** The text for an error. */
export function problemText(error: unknown): string {
  if (isUnanswered(error)) return t("noConnection");
  const reason = reasonIn(error);
  if (reason) return refusalText(reason);
  return error instanceof Error && error.message ? error.message : t("somethingWrong");
}
