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
  tag?: string;
  agent?: string;
  channel?: Channel;
  unread?: true;
  /** Left out when it is the usual one of the view. */
  order?: InboxOrder;
}

/** The order in which a view opens. */
export const usualOrder = (view: InboxView): InboxOrder => (view === "waiting" ? "waiting" : "newest");

export function inboxSearch(given: Record<string, unknown>): InboxSearch {
  const { view, widget, tag, agent, channel, unread, order } = given;
  const known = inboxViews.find((each) => each === view) ?? "open";
  const from = channels.find((each) => each === channel);
  const ordered = inboxOrders.find((each) => each === order);
  return {
    ...(known !== "open" && { view: known }),
    ...(typeof widget === "string" && { widget }),
    ...(typeof tag === "string" && { tag }),
    ...(typeof agent === "string" && { agent }),
    ...(from && { channel: from }),
    ...((unread === true || unread === "true") && { unread: true as const }),
    ...(ordered && ordered !== usualOrder(known) && { order: ordered }),
  };
}

/** The same as the service's query. */
export function queryOf({ view = "open", widget, tag, agent, channel, unread, ...asked }: InboxSearch): InboxQuery {
  const { order = usualOrder(view) } = asked;
  return {
    view,
    ...(widget && { widget_id: widget }),
    ...(tag && { tag_id: tag }),
    ...(agent && { agent_id: agent }),
    ...(channel && { channel }),
    ...(unread && { unread }),
    ...(order !== "newest" && { order }),
  };
}

export function searchOf(query: InboxQuery): InboxSearch {
  const { view, widget_id, tag_id, agent_id, channel, unread, order = "newest" } = query;
  return inboxSearch({ view, widget: widget_id, tag: tag_id, agent: agent_id, channel, unread, order });
}

/** How many filters narrow the view. */
export function filterCount({ view: _, order: __, ...filters }: InboxQuery): number {
  return Object.keys(filters).length;
}

/** The same view and order, without filters. */
export const wholeView = ({ view, order }: InboxQuery): InboxSearch => searchOf({ view, ...(order && { order }) });

/** Why a list shows nothing. @param all how many conversations the team has; undefined while that is not known */
export function emptyBecause(query: InboxQuery, all: number | undefined): "filters" | "new" | "view" {
  if (all === 0) return "new";
  return filterCount(query) > 0 ? "filters" : "view";
}

/** The whole view, in its usual order. */
export const searchOfView = (view: InboxView): InboxSearch => inboxSearch({ view });
