import { canAct } from "@frontdesk/core/domain/agent";
import type { Channel } from "@frontdesk/core/domain/channel";
import { inNameOrder } from "@frontdesk/core/domain/name-order";
import { personPage } from "../agents/agent-store.ts";
import { aiOfTeam } from "../ai/settings/ai-settings-store.ts";
import { settingsOfChannel } from "../channels/account-settings.ts";
import { accountPage } from "../channels/channel-account-store.ts";
import type { Context, Operation } from "../context.ts";
import { obstacleOf } from "../email/out/reply-by-mail.ts";
import type { AgentRow, AiSettingsRow, ChannelAccountRow, WidgetRow } from "../storage/tables.ts";
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
  /** Besides those of widgets, oldest first. */
  channels: ChosenChannel[];
  /** Undefined until it is set up. */
  ai: AiSettingsRow | undefined;
}

/** A channel account to choose from. */
export interface ChosenChannel {
  row: ChannelAccountRow;
  address: string;
  /** Whether a conversation can be started by it now. */
  canSend: boolean;
}

/** More than a screen has pickers for. */
const MOST = 1_000;

/** The agents, tags and other items that an agent chooses from. */
export const listPeople: Operation<Record<never, never>, InboxPeople> = {
  name: "list-people",
  mode: "read",
  async run(ctx) {
    const all = { team_id: ctx.teamId, limit: MOST, offset: 0 };
    const [agents, tags, widgets, accounts, ai] = await Promise.all([
      ctx.db.all(personPage, all),
      ctx.db.all(allTags, { team_id: ctx.teamId }),
      ctx.db.all(widgetPage, all),
      ctx.db.all(accountPage, all),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
    ]);
    const channels = accounts.map((row) => chosenChannel(ctx, row));
    return { me: inboxAgentId(ctx), agents: agents.filter(canAct), tags: inNameOrder(tags), widgets, channels, ai };
  },
};

function chosenChannel(ctx: Context, row: ChannelAccountRow): ChosenChannel {
  const address = settingsOfChannel(row.channel)?.address(JSON.parse(row.settings)) ?? row.provider_key ?? "";
  const isMail = row.channel === ("email" satisfies Channel);
  return { row, address, canSend: isMail && obstacleOf(ctx, row) === undefined };
}
