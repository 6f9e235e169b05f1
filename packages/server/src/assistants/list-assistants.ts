import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { AssistantWithCreator } from "./assistant.ts";
import { assistantPage, assistantTotal } from "./assistant-store.ts";

/** The team's assistant connections, oldest first, including revoked ones. */
export const listAssistants: Operation<PageRequest, Listed<AssistantWithCreator>> = {
  name: "list-assistants",
  mode: "read",
  async run(ctx, page) {
    const [counted, rows] = await Promise.all([
      ctx.db.first(assistantTotal, { team_id: ctx.teamId }),
      ctx.db.all(assistantPage, { team_id: ctx.teamId, ...pageWindow(page) }),
    ]);
    return { rows, total: counted?.total ?? 0 };
  },
};
