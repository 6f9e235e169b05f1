import { answersHere } from "@frontdesk/core/domain/ai/ai-audience";
import type { AiTime } from "@frontdesk/core/domain/ai/ai-settings";
import { type BusinessHours, changesAfter, isOpen } from "@frontdesk/core/domain/business-hours";
import { readWidgetSettings, type WidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { agentsOnline } from "../agents/agent-store.ts";
import { aiOfTeam } from "../ai/settings/ai-settings-store.ts";
import type { Operation } from "../context.ts";
import type { AgentRow, AiSettingsRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { teamById } from "../teams/team-store.ts";
import { findWidget } from "./find-widget.ts";

/** Enough for a page that stays open for days. */
const CHANGES_TOLD = 20;
/** How many faces fit into the widget's head. */
const MOST_FACES = 3;

export interface ShownWidget {
  id: string;
  name: string | null;
  teamName: string;
  settings: WidgetSettings;
  /** Whether it is open now, and when that changes next, ms since the epoch; null where no hours are set. */
  hours: { open: boolean; changes: number[] } | null;
  /** Whether visitors can find articles in it. */
  suggestsArticles: boolean;
  /** The AI that answers on it, and when; null where none does. */
  ai: { name: string; when: AiTime } | null;
  /** Some of the agents whom visitors can reach now; empty when none is online. */
  online: AgentRow[];
}

/**
 * The data of a widget's pages. It is public, since the pages are.
 *
 * @throws Refusal `not-found` for the widget
 */
export const showWidget: Operation<{ widgetId: string }, ShownWidget> = {
  name: "show-widget",
  mode: "read",
  async run(ctx, { widgetId }) {
    const [widget, team, ai, online] = await Promise.all([
      findWidget(ctx, widgetId),
      ctx.db.first(teamById, { team_id: ctx.teamId }),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
      ctx.db.all(agentsOnline, { team_id: ctx.teamId, limit: MOST_FACES }),
    ]);
    if (!team) throw new Error("The team of a widget is gone.");
    const { id, name } = widget;
    const settings = readWidgetSettings(widget.settings);
    const hours = settings.hours && hoursFrom(settings.hours, ctx.now);
    const suggestsArticles = settings.suggest_articles && (await countersOf(ctx)).published_articles > 0;
    const shown = { id, name, teamName: team.name, settings, hours, suggestsArticles, online };
    return { ...shown, ai: ai ? aiOnWidget(ai, id) : null };
  },
};

/** Null where the AI is off, or answers elsewhere. */
function aiOnWidget(
  { is_active, name, widgets, channels, answers_when }: AiSettingsRow,
  id: string,
): ShownWidget["ai"] {
  const settings = { is_active: is_active === 1, widgets: JSON.parse(widgets), channels: JSON.parse(channels) };
  const here = { widgetId: id, channel: "website", isOpen: null, isTeamOnline: false } as const;
  const isHere = answersHere({ ...settings, when: "always" }, here);
  return isHere ? { name, when: answers_when as AiTime } : null;
}

function hoursFrom(hours: BusinessHours, now: number) {
  return { open: isOpen(hours, now), changes: changesAfter(hours, now, CHANGES_TOLD) };
}
