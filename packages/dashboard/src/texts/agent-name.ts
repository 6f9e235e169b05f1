import { canAct, FORMER_COLLEAGUE } from "@frontdesk/core/domain/agent";
import { t } from "./texts.ts";

/** What an agent is called: by name, else by address; one whose personal data was deleted, in the reader's language. */
export function agentName({ name, email }: { name?: string | null | undefined; email?: string | null | undefined }) {
  return name === FORMER_COLLEAGUE ? t("formerColleague") : (name ?? email ?? "");
}

/** Whether the personal data of an agent is still there. */
export const isStillNamed = ({ attributes }: { attributes: { name: string | null; status: string | null } }) =>
  attributes.name !== FORMER_COLLEAGUE || canAct({ status: attributes.status ?? "" });
