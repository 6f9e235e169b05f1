import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { canonicalId } from "@frontdesk/core/domain/id";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { countInList } from "./list-inbox.ts";
import { deleteSavedView, putSavedView, savedViewsOf } from "./saved-view-store.ts";

export interface SavedView {
  id: string;
  name: string;
  query: InboxQuery;
}

/** `count`: how many conversations it shows, up to a most. */
export type CountedView = SavedView & { count: number };

const NAME_MAX = 100;
/** More than an agent can find their way in. */
const MOST = 100;

/** The agent's saved views, in the order of their creation, each with how many conversations it shows. */
export const listSavedViews: Operation<{ most: number }, CountedView[]> = {
  name: "list-saved-views",
  mode: "read",
  async run(ctx, { most }) {
    const views = await viewsOf(ctx);
    return Promise.all(views.map(async (view) => ({ ...view, count: await countInList(ctx, view.query, most) })));
  },
};

/**
 * Adds, changes or removes a saved view; without an id it is a new one. A repeated addition adds another one. Returns it as it
 * is, or was.
 *
 * @throws Refusal `not-found`, `invalid` on `name`
 */
export const writeSavedView: Operation<
  { id?: string; name?: string | undefined; query?: InboxQuery | undefined; remove?: true },
  SavedView
> = {
  name: "write-saved-views",
  mode: "write",
  async run(ctx, { id, name, query, remove }) {
    const views = await viewsOf(ctx);
    const before = views.find((view) => view.id === canonicalId(id));
    if (id !== undefined && !before) throw notFound("saved-view");
    const of = { team_id: ctx.teamId, agent_id: inboxAgentId(ctx) };
    if (before && remove) {
      ctx.write(deleteSavedView, { ...of, id: before.id });
      return before;
    }
    if (!before && views.length >= MOST) throw invalid({ name: because("too-many-saved-views", { max: MOST }) });
    const view: SavedView = {
      id: before?.id ?? ctx.newId(),
      name: boundedName("name", name ?? before?.name ?? "", NAME_MAX),
      query: query ?? before?.query ?? { view: "open" },
    };
    ctx.write(putSavedView, { ...of, ...view, query: JSON.stringify(view.query) });
    return view;
  },
};

async function viewsOf(ctx: Context): Promise<SavedView[]> {
  const rows = await ctx.db.all(savedViewsOf, { team_id: ctx.teamId, agent_id: inboxAgentId(ctx) });
  return rows.map(({ id, name, query }) => ({ id, name, query: storedQuery(query) }));
}

/** Earlier views have one tag and one agent. Of merged tags, a view may have one twice. */
function storedQuery(text: string): InboxQuery {
  const {
    tag_id,
    agent_id,
    tag_ids = tag_id && [tag_id],
    agent_ids = agent_id && [agent_id],
    ...rest
  } = JSON.parse(text);
  return { ...rest, ...(tag_ids && { tag_ids: [...new Set(tag_ids)] }), ...(agent_ids && { agent_ids }) };
}
