import { t } from "../texts/texts.ts";

/** What a contact is called: by their name, else their e-mail, else as an unknown visitor. */
export function contactName({ name, email }: { name?: string | null; email?: string | null }): string {
  return name?.trim() || email || t("someVisitor");
}
