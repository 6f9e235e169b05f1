import { canAct } from "@frontdesk/core/domain/agent";
import { inNameOrder } from "@frontdesk/core/domain/name-order";
import { agentPage } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import type { AgentRow, WidgetRow } from "../storage/tables.ts";
import { allTags, type ShownTag } from "../tags/tag-store.ts";
import { widgetPage } from "../widgets/widget-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";

export interface InboxPeople {
  /** The agent who asks. */
  me: string;
  /** Oldest first, without those who were deactivated. */
  agents: AgentRow[];
  /** By name. */
  tags: ShownTag[];
  /** Oldest first. */
  widgets: WidgetRow[];
}

/** More than a screen has pickers for. */
const MOST = 1_000;

/** The agents, tags and other items that an agent chooses from. */
export const listPeople: Operation<Record<never, never>, InboxPeople> = {
  name: "list-people",
  mode: "read",
  async run(ctx) {
    const all = { team_id: ctx.teamId, limit: MOST, offset: 0 };
    const [agents, tags, widgets] = await Promise.all([
      ctx.db.all(agentPage, all),
      ctx.db.all(allTags, { team_id: ctx.teamId }),
      ctx.db.all(widgetPage, all),
    ]);
    return { me: inboxAgentId(ctx), agents: agents.filter(canAct), tags: inNameOrder(tags), widgets };
  },
};
