import { ServiceError } from "../service/service-error.ts";
import { t } from "../texts/texts.ts";

/** What to tell somebody of something that did not work. */
export function problemText(error: unknown): string {
  if (error instanceof ServiceError && error.status === 0) return t("noConnection");
  if (error instanceof Error && error.message) return error.message;
  return t("somethingWrong");
}
