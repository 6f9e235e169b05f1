/** The state of the inbox in its URL: it can be shared, and reload and back work. */
import { type Channel, channels } from "@frontdesk/core/domain/channel";
import {
  type InboxOrder,
  type InboxQuery,
  type InboxView,
  inboxOrders,
  inboxViews,
} from "@frontdesk/core/domain/inbox";

/** All of it is optional: without it, the inbox shows the open conversations. */
export interface InboxSearch {
  view?: InboxView;
  widget?: string;
  /** One id, or several separated by commas. */
  tag?: string;
  agent?: string;
  channel?: Channel;
  /** A channel account. */
  account?: string;
  /** The first and last day of the last activity, `2026-11-23`, in the agent's time zone. */
  from?: string;
  to?: string;
  unread?: true;
  /** Left out when it is the usual one of the view. */
  order?: InboxOrder;
}

/** The order in which a view opens. */
export const usualOrder = (view: InboxView): InboxOrder => (view === "waiting" ? "waiting" : "newest");

export function inboxSearch(given: Record<string, unknown>): InboxSearch {
  const { view, widget, tag, agent, channel, account, from, to, unread, order } = given;
  const known = inboxViews.find((each) => each === view) ?? "open";
  const by = channels.find((each) => each === channel);
  const ordered = inboxOrders.find((each) => each === order);
  return {
    ...(known !== "open" && { view: known }),
    ...(typeof widget === "string" && { widget }),
    ...(typeof tag === "string" && { tag }),
    ...(typeof agent === "string" && { agent }),
    ...(by && { channel: by }),
    ...(typeof account === "string" && { account }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...((unread === true || unread === "true") && { unread: true as const }),
    ...(ordered && ordered !== usualOrder(known) && { order: ordered }),
  };
}

/** The same as the service's query. */
export function queryOf(search: InboxSearch): InboxQuery {
  const { view = "open", widget, tag, agent, channel, account, from, to, unread, order = usualOrder(view) } = search;
  return {
    view,
    ...(widget && { widget_id: widget }),
    ...(tag && { tag_ids: tag.split(",") }),
    ...(agent && { agent_ids: agent.split(",") }),
    ...(channel && { channel }),
    ...(account && { channel_id: account }),
    ...(from && { active_from: startOfDay(from) }),
    ...(to && { active_until: startOfDay(to, 1) }),
    ...(unread && { unread }),
    ...(order !== "newest" && { order }),
  };
}

export function searchOf(query: InboxQuery): InboxSearch {
  const { view, widget_id, tag_ids, agent_ids, channel, channel_id, active_from, active_until, unread } = query;
  const { order = "newest" } = query;
  return inboxSearch({
    view,
    widget: widget_id,
    tag: tag_ids?.join(),
    agent: agent_ids?.join(),
    channel,
    account: channel_id,
    from: active_from && dayAt(active_from),
    to: active_until && dayAt(active_until, -1),
    unread,
    order,
  });
}

const isDay = (text: unknown): text is string =>
  typeof text === "string" && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** When a day, or one some days later, begins in the agent's time zone. */
function startOfDay(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** The day of a time in the agent's time zone, or one some days later. */
function dayAt(time: string, later = 0): string {
  const at = new Date(time);
  const day = new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate() + later));
  return day.toISOString().slice(0, "2026-11-23".length);
}

/** How many filters narrow the view: a channel and an account of it are one. */
export function filterCount({ view: _, order: __, ...filters }: InboxQuery): number {
  const { channel, channel_id } = filters;
  return Object.keys(filters).length - (channel !== undefined && channel_id !== undefined ? 1 : 0);
}

/** The same view and order, without filters. */
export const wholeView = ({ view, order }: InboxQuery): InboxSearch => searchOf({ view, ...(order && { order }) });

/** What the team has, as far as filters choose from it. */
interface Known {
  tags: readonly { id: string }[];
  agents: readonly { id: string }[];
  widgets: readonly { id: string }[];
  channels: readonly { id: string }[];
}

/** The filter that names something the team does not have: a tag that is gone, or one of another team. */
export function unknownFilter(query: InboxQuery, known: Known): "tag" | "agent" | "widget" | "channel" | undefined {
  const { widget_id, channel_id } = query;
  const lacks = (all: readonly { id: string }[], ids: readonly string[] = []) =>
    ids.some((id) => !all.some((each) => each.id === id));
  if (lacks(known.tags, query.tag_ids)) return "tag";
  if (lacks(known.agents, query.agent_ids)) return "agent";
  if (lacks(known.widgets, widget_id === undefined ? [] : [widget_id])) return "widget";
  const accounts = [...known.channels, ...known.widgets];
  return lacks(accounts, channel_id === undefined ? [] : [channel_id]) ? "channel" : undefined;
}

/** Why a list shows nothing. @param all how many conversations the team has; undefined while that is not known */
export function emptyBecause(query: InboxQuery, all: number | undefined): "filters" | "new" | "view" {
  if (all === 0) return "new";
  return filterCount(query) > 0 ? "filters" : "view";
}

/** The whole view, in its usual order. */
export const searchOfView = (view: InboxView): InboxSearch => inboxSearch({ view });
