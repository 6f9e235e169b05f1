import { isOfRank } from "@frontdesk/core/domain/agent";
import { actorOfKind } from "../access/actor.ts";
import { activeAdmins } from "../agents/agent-store.ts";
import type { AssistantWithCreator } from "../assistants/assistant.ts";
import { assistantOfApp } from "../assistants/assistant-store.ts";
import type { Operation } from "../context.ts";
import { appKey } from "./app-client.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** What a person has to know before they answer an app; changes nothing. */
export const showAppRequest: Operation<
  { request: AuthorizationRequest },
  { connection: AssistantWithCreator | undefined; admins: string[] }
> = {
  name: "show-app-request",
  mode: "read",
  async run(ctx, { request: { client, resource } }) {
    const { agentId, role } = actorOfKind(ctx.actor, "agent");
    const of = { team_id: ctx.teamId, created_by: agentId, app_key: appKey(client, resource) };
    if (isOfRank(role, "admin")) return { connection: await ctx.db.first(assistantOfApp, of), admins: [] };
    const admins = await ctx.db.all(activeAdmins, { team_id: ctx.teamId });
    return { connection: undefined, admins: admins.map(({ name, email }) => name ?? email) };
  },
};
