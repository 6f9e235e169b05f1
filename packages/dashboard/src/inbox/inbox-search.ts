/** The state of the inbox in its URL: it can be shared, and reload and back work. */
import { type Channel, channels } from "@frontdesk/core/domain/channel";
import { type InboxQuery, type InboxView, inboxViews } from "@frontdesk/core/domain/inbox";

/** All of it is optional: without it, the inbox shows the open conversations. */
export interface InboxSearch {
  view?: InboxView;
  widget?: string;
  tag?: string;
  agent?: string;
  channel?: Channel;
  unread?: true;
}

export function inboxSearch(given: Record<string, unknown>): InboxSearch {
  const { view, widget, tag, agent, channel, unread } = given;
  const known = inboxViews.find((each) => each === view);
  const from = channels.find((each) => each === channel);
  return {
    ...(known && known !== "open" && { view: known }),
    ...(typeof widget === "string" && { widget }),
    ...(typeof tag === "string" && { tag }),
    ...(typeof agent === "string" && { agent }),
    ...(from && { channel: from }),
    ...((unread === true || unread === "true") && { unread: true as const }),
  };
}

/** The same as the service's query. */
export function queryOf({ view = "open", widget, tag, agent, channel, unread }: InboxSearch): InboxQuery {
  return {
    view,
    ...(widget && { widget_id: widget }),
    ...(tag && { tag_id: tag }),
    ...(agent && { agent_id: agent }),
    ...(channel && { channel }),
    ...(unread && { unread }),
  };
}

export function searchOf({ view, widget_id, tag_id, agent_id, channel, unread }: InboxQuery): InboxSearch {
  return inboxSearch({ view, widget: widget_id, tag: tag_id, agent: agent_id, channel, unread });
}
