import { sessionOperations } from "@frontdesk/core/contract/session";
import type { FastifyInstance } from "fastify";
import { createApiKey } from "../../access/create-api-key.ts";
import { listApiKeys } from "../../access/list-api-keys.ts";
import { presentApiKey } from "../../access/present-api-key.ts";
import { revokeApiKey } from "../../access/revoke-api-key.ts";
import { countOpenConversations } from "../../agents/count-open-conversations.ts";
import { deactivateAgent } from "../../agents/deactivate-agent.ts";
import { invitationLink } from "../../agents/invitation-link.ts";
import { inviteAgents, type SentInvitation } from "../../agents/invite-agents.ts";
import { invitee } from "../../agents/invitee.ts";
import { reactivateAgent } from "../../agents/reactivate-agent.ts";
import { removeAgent } from "../../agents/remove-agent.ts";
import { renewInvitation } from "../../agents/renew-invitation.ts";
import { revokeInvitation } from "../../agents/revoke-invitation.ts";
import { setAgentRole } from "../../agents/set-agent-role.ts";
import { listAuditLog } from "../../audit/list-audit-log.ts";
import { presentAuditEntry } from "../../audit/present-audit-entry.ts";
import type { Perform } from "../../perform.ts";
import { countWidgetUse } from "../../privacy/count-widget-use.ts";
import { listExports } from "../../privacy/list-exports.ts";
import { presentExport } from "../../privacy/present-export.ts";
import { exportsUrlOf } from "../../privacy/shown-export.ts";
import { resetUrl } from "../../sessions/password-reset-link.ts";
import { presentOwnTeam, presentTeamAgent } from "../../sessions/present-me.ts";
import { requestPasswordReset } from "../../sessions/request-password-reset.ts";
import { checkedName } from "../../setup/person-fields.ts";
import { renameTeam } from "../../teams/rename-team.ts";
import { updateTeam } from "../../teams/update-team.ts";
import { isoTime, isoTimeOrNull } from "../../timestamp.ts";
import { getWebhook } from "../../webhooks/get-webhook.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

interface TeamRouteServices extends SessionDoors {
  perform: Perform;
  /** Without a slash at the end. */
  publicUrl: string;
  /** Whether e-mail can be sent. */
  mail: boolean;
}

/**
 * The team's agents, keys and audit log, and the other settings that programs cannot reach
 * (docs/decisions/0025-signed-in-agents.md).
 */
export async function teamRoutes(app: FastifyInstance, services: TeamRouteServices): Promise<void> {
  const { perform, publicUrl, mail } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.setAgentRole, async ({ agent, params, body }) => {
    const asked = { agentId: params.id, role: body.role };
    const { agent: changed, keys, assistants } = await perform(agent, setAgentRole, asked);
    return { agent: presentTeamAgent(changed), api_keys: keys, assistants };
  });

  serve(sessionOperations.countOpenConversations, async ({ agent, params }) => ({
    count: await perform(agent, countOpenConversations, { agentId: params.id }),
  }));

  serve(sessionOperations.listExports, async ({ agent, params }) => {
    const asked = { contactId: params.id, exportsUrl: exportsUrlOf(publicUrl) };
    return { exports: (await perform(agent, listExports, asked)).map(presentExport) };
  });

  serve(sessionOperations.deactivateAgent, async ({ agent, params, body }) => {
    const asked = { agentId: params.id, handOverTo: body.hand_over_to };
    const { agent: changed, keys, assistants } = await perform(agent, deactivateAgent, asked);
    return { agent: presentTeamAgent(changed), api_keys: keys, assistants };
  });

  serve(sessionOperations.removeAgent, async ({ agent, params, body }) => {
    const asked = { agentId: params.id, handOverTo: body.hand_over_to };
    const { id, name } = await perform(agent, removeAgent, asked);
    return { agent: { id, name: name ?? "" } };
  });

  serve(sessionOperations.reactivateAgent, async ({ agent, params }) => ({
    agent: presentTeamAgent(await perform(agent, reactivateAgent, { agentId: params.id })),
  }));

  serve(sessionOperations.inviteAgents, async ({ agent, body }) => {
    const asked = { invitees: body.agents.map(invitee), joinUrl: invitationLink(publicUrl), mail };
    return { invitations: (await perform(agent, inviteAgents, asked)).map(presentInvitation) };
  });

  serve(sessionOperations.renewInvitation, async ({ agent, params }) => {
    const joinUrl = invitationLink(publicUrl);
    return presentInvitation(await perform(agent, renewInvitation, { agentId: params.id, joinUrl, mail }));
  });

  serve(sessionOperations.createPasswordReset, async ({ agent, params }) => {
    const asked = { agentId: params.id, resetUrl: resetUrl(publicUrl), mail: false };
    const { link, expiresAt } = await perform(agent, requestPasswordReset, asked);
    return { link, expires_at: isoTime(expiresAt) };
  });

  serve(sessionOperations.revokeInvitation, async ({ agent, params }) => ({
    agent: presentTeamAgent(await perform(agent, revokeInvitation, { agentId: params.id })),
  }));

  serve(sessionOperations.renameTeam, async ({ agent, body }) => ({
    team: presentOwnTeam(await perform(agent, renameTeam, { name: checkedName(body.name) })),
  }));

  serve(sessionOperations.setApiAccess, async ({ agent, body }) => ({
    team: presentOwnTeam(await perform(agent, updateTeam, { apiAccess: body.on })),
  }));

  serve(sessionOperations.listApiKeys, async ({ agent }) => {
    const keys = await perform(agent, listApiKeys, {});
    return { keys: keys.map(presentApiKey) };
  });

  serve(sessionOperations.createApiKey, async ({ agent, body }) => {
    const { key, value } = await perform(agent, createApiKey, {
      name: checkedName(body.name),
      scopes: body.scopes,
      expiresAt: body.expires_at == null ? undefined : Date.parse(body.expires_at),
    });
    return { key: presentApiKey(key), value };
  });

  serve(sessionOperations.revokeApiKey, async ({ agent, params }) => ({
    key: presentApiKey(await perform(agent, revokeApiKey, { keyId: params.id })),
  }));

  serve(sessionOperations.countWidgetUse, ({ agent, params }) =>
    perform(agent, countWidgetUse, { widgetId: params.id }),
  );

  serve(sessionOperations.getSecretRotation, async ({ agent, params }) => {
    const { next_secret_at } = await perform(agent, getWebhook, { webhookId: params.id });
    return { takes_over_at: isoTimeOrNull(next_secret_at) };
  });

  serve(sessionOperations.listAuditLog, async ({ agent, query }) => {
    const { before, limit = 50, action, actor_id: actorId } = query;
    const { rows, next } = await perform(agent, listAuditLog, { before, limit, action, actorId });
    return { entries: rows.map(presentAuditEntry), next };
  });

  function presentInvitation({ agent, link }: SentInvitation) {
    return { agent: presentTeamAgent(agent), link, mailed: mail };
  }
}
