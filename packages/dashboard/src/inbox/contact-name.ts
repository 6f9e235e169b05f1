import { t } from "../texts/texts.ts";

/** The display name of a contact: the name, else the e-mail, else "unknown visitor". */
export function contactName({ name, email }: { name?: string | null; email?: string | null }): string {
  return name?.trim() || email || t("someVisitor");
}
