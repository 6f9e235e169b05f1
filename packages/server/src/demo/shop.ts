/** The demo shop: its people, its tags, and the times at which something happens in it. */
import type { AgentActor, AiActor, SystemActor } from "../access/actor.ts";
import type { Perform } from "../perform.ts";
import type { AgentName, Start, TagName } from "./script.ts";

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export const PEOPLE = {
  ada: { name: "Ada Winter", email: "ada@demo-shop.test", role: "CHAT_AGENT_OWNER" },
  grace: { name: "Grace Osei", email: "grace@demo-shop.test", role: "CHAT_AGENT_ADMIN" },
  lin: { name: "Lin Zhao", email: "lin@demo-shop.test", role: "CHAT_AGENT_MEMBER" },
  omar: { name: "Omar Haddad", email: "omar@demo-shop.test", role: "CHAT_AGENT_MEMBER" },
} as const satisfies Record<AgentName, object>;
export const TAG_COLORS: Record<TagName, string> = {
  Shipping: "#2563eb",
  Returns: "#b45309",
  Damaged: "#dc2626",
  Sizing: "#7c3aed",
  Billing: "#0f766e",
  "Large order": "#15803d",
  Complaint: "#be123c",
  "Follow up": "#475569",
};

export interface Shop {
  actor: SystemActor;
  widgetId: string;
  mailboxId: string;
  agents: Record<AgentName, string>;
  ai: AiActor;
  /** The ids of the articles so far, by their questions. */
  articles: Map<string, string>;
}

/** A step with its time. */
export interface Moment {
  at: number;
  act(perform: Perform, shop: Shop): Promise<void>;
}

/** As signed-in agents at the dashboard: their messages are written by a person, not by a program. */
export function signedIn(name: AgentName, { actor: { teamId }, agents }: Shop): AgentActor {
  return {
    kind: "agent",
    teamId,
    agentId: agents[name],
    role: PEOPLE[name].role,
    sessionId: "",
    verifiedAt: 0,
    reach: "everything",
  };
}

export function startOf(start: Start, endsAt: number): number {
  if ("minutesAgo" in start) return endsAt - start.minutesAgo * MINUTE_MS;
  const [hour = 0, minute = 0] = start.at.split(":").map(Number);
  const today = Math.floor(endsAt / DAY_MS) * DAY_MS;
  return today - start.daysAgo * DAY_MS + (hour * 60 + minute) * MINUTE_MS;
}
