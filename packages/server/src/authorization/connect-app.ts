import { redirectHost, redirectKind } from "@frontdesk/core/domain/redirect-uri";
import { actorOfKind } from "../access/actor.ts";
import { newToken, tokenHash } from "../access/token.ts";
import { agentById } from "../agents/agent-store.ts";
import type { AssistantWithCreator } from "../assistants/assistant.ts";
import { assistantOfApp, insertAssistant, updateAppRow, updateAssistantRow } from "../assistants/assistant-store.ts";
import { type AskedGrant, checkGrant } from "../assistants/check-grant.ts";
import type { ConnectedApp } from "../assistants/connected-app.ts";
import { requireScopes } from "../assistants/require-scopes.ts";
import type { Context, Operation } from "../context.ts";
import { appKey } from "./app-client.ts";
import { insertAppGrant } from "./app-grant-store.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { endGrantsOf } from "./end-grant.ts";
import { CODE_LIFE_MS, GRANT_LIFE_MS } from "./issue-tokens.ts";

/** The same app may run on several computers of a person; a consent more ends the oldest. */
const GRANTS_MAX = 20;

/**
 * A person allows an app what it asked for: the first row that is stored of it. The same app of the same person at the same address
 * keeps its connection, with what is chosen now. The code is in the result and nowhere else; a repeat gives another one.
 *
 * @throws Refusal `invalid` as `checkGrant`
 */
export const connectApp: Operation<
  { request: AuthorizationRequest; grant: AskedGrant },
  { assistant: AssistantWithCreator; code: string }
> = {
  name: "connect-app",
  mode: "write",
  async run(ctx, { request, grant: asked }) {
    const grant = await checkGrant(ctx, asked);
    requireScopes(ctx.actor, grant.permissions);
    const { client, redirectUri, challenge, resource } = request;
    const app: ConnectedApp = {
      ...{ name: client.name, host: client.host ?? null, redirectUri, resource, endedAt: null },
    };
    const assistant = await connectionOf(ctx, request, {
      permissions: JSON.stringify(grant.permissions),
      widgets: JSON.stringify(grant.widgets),
      channels: JSON.stringify(grant.channels),
      agent_id: grant.agentId,
      app: JSON.stringify(app),
    });
    await endGrantsOf(ctx, assistant.id, GRANTS_MAX - 1);
    const code = newToken("code", ctx.teamId, ctx.random);
    ctx.write(insertAppGrant, {
      ...{ team_id: ctx.teamId, id: ctx.newId(), assistant_id: assistant.id, client_id: client.id },
      ...{ redirect_uri: redirectUri, resource, challenge, code_hash: tokenHash(code) },
      ...{ code_ends_at: ctx.now + CODE_LIFE_MS, code_used_at: null },
      ...{ created_at: ctx.now, ends_at: ctx.now + GRANT_LIFE_MS },
    });
    return { assistant, code };
  },
};

type Chosen = Pick<AssistantWithCreator, "permissions" | "widgets" | "channels" | "agent_id"> & { app: string };

async function connectionOf(
  ctx: Context,
  { client, resource }: AuthorizationRequest,
  chosen: Chosen,
): Promise<AssistantWithCreator> {
  const createdBy = actorOfKind(ctx.actor, "agent").agentId;
  const key = appKey(client, resource);
  const before = await ctx.db.first(assistantOfApp, { team_id: ctx.teamId, created_by: createdBy, app_key: key });
  if (before) {
    // Whoever paused it sees in the audit log that it was allowed again.
    const assistant: AssistantWithCreator = { ...before, ...chosen, state: "active", updated_at: ctx.now };
    ctx.db.announce("access");
    ctx.write(updateAssistantRow, assistant);
    ctx.write(updateAppRow, { team_id: ctx.teamId, id: before.id, app: chosen.app, updated_at: ctx.now });
    ctx.record({ name: "assistant.updated", assistant });
    return assistant;
  }
  const creator = await ctx.db.first(agentById, { team_id: ctx.teamId, id: createdBy });
  const assistant: AssistantWithCreator = {
    ...{ team_id: ctx.teamId, id: ctx.newId(), name: client.name },
    // No program has it: an app's tokens are in its grants.
    ...{ token_hash: tokenHash(newToken("assistant", ctx.teamId, ctx.random)), token_ending: "" },
    ...chosen,
    ...{ created_by: createdBy, creator_role: creator?.role ?? null, creator_status: creator?.status ?? null },
    ...{ state: "active", created_at: ctx.now, updated_at: ctx.now, last_used_at: null, app_key: key },
  };
  ctx.write(insertAssistant, assistant);
  ctx.record({ name: "assistant.created", assistant });
  return assistant;
}

/** What the consent page says of an app. */
export function appInWords({ client, redirectUri }: AuthorizationRequest) {
  return {
    name: client.name,
    host: client.host ?? null,
    redirect_host: redirectHost(redirectUri),
    redirect_kind: redirectKind(redirectUri) ?? "website",
  };
}
