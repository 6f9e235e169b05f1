import { t } from "../texts/texts.ts";

/** What somebody is called: by their name, else their e-mail, else as somebody whom nobody knows yet. */
export function contactName({ name, email }: { name?: string | null; email?: string | null }): string {
  return name?.trim() || email || t("someVisitor");
}
