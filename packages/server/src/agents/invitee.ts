import type { Invitation } from "@frontdesk/core/contract/rest/agents";
import type { Invitee } from "./invite-agents.ts";

/** A person to invite, as requests name them: an object, or only an e-mail address (decision 23). */
export function invitee(item: Invitation): Invitee {
  if (typeof item === "string") return { email: item, name: null, role: "CHAT_AGENT_MEMBER" };
  return { email: item.email, name: item.name ?? null, role: item.role ?? "CHAT_AGENT_MEMBER" };
}
