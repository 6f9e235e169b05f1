import {
  KEEP_EVERYTHING,
  loosestRetention,
  type ResolvedRetention,
  type RetentionPlace,
  type RetentionRules,
  type RetentionSettings,
  resolveRetention,
} from "@frontdesk/core/domain/retention";
import type { Context } from "../context.ts";
import type { RetentionRow } from "../storage/tables.ts";
import { accountsOfTeam, retentionOfTeam } from "./retention-store.ts";

/** The settings of a team, where they hold, and since when. */
export interface Retention {
  teamId: string;
  /** When the last change starts to erase more; null: everything is in force. */
  startsAt: number | null;
  row: RetentionRow | undefined;
  settings: RetentionSettings;
  places: (RetentionPlace & { isWidget: boolean })[];
}

export async function readRetention(ctx: Context): Promise<Retention> {
  const [row, accounts] = await Promise.all([
    ctx.db.first(retentionOfTeam, { team_id: ctx.teamId }),
    ctx.db.all(accountsOfTeam, { team_id: ctx.teamId }),
  ]);
  const places = accounts.map(({ id, home_widget_id }) => ({
    accountId: id,
    widgetId: home_widget_id,
    isWidget: id === home_widget_id,
  }));
  const stored: RetentionSettings = { ...KEEP_EVERYTHING, ...(row && JSON.parse(row.settings)) };
  const isThere = (id: string) => places.some(({ accountId }) => accountId === id);
  const settings: RetentionSettings = {
    ...stored,
    // A widget or channel may have been removed since.
    widgets: stored.widgets.filter(({ widget_id }) => isThere(widget_id)),
    channels: stored.channels.filter(({ channel_id }) => isThere(channel_id)),
  };
  return { teamId: ctx.teamId, startsAt: startsAt(row, ctx.now), row, settings, places };
}

export const startsAt = (row: RetentionRow | undefined, now: number): number | null =>
  row && row.starts_at !== null && row.starts_at > now ? row.starts_at : null;

/** The rules that hold now: until the settings start, only what those of before allow too. */
export function rulesInForce({ row, settings, places }: Retention, now: number): ResolvedRetention {
  const rules = resolveRetention(settings, places);
  if (!row?.settings_before || startsAt(row, now) === null) return rules;
  return loosestRetention(JSON.parse(row.settings_before) as ResolvedRetention, rules);
}

export const rulesOf = (rules: ResolvedRetention, accountId: string): RetentionRules =>
  rules.accounts[accountId] ?? rules.team;
