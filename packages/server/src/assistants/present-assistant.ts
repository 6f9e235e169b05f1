import type { Assistant, CreatedAssistant } from "@frontdesk/core/contract";
import { redirectHost } from "@frontdesk/core/domain/redirect-uri";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import { type AssistantState, type AssistantWithCreator, isLive, readGrant } from "./assistant.ts";
import { readApp } from "./connected-app.ts";

/** A connection as the REST API shows it (decision 49). */
export function presentAssistant(row: AssistantWithCreator): Assistant {
  return { type: "assistant", id: row.id, attributes: attributesOf(row) };
}

/** The answer that creates a connection or another token: the only ones that ever contain the token. */
export function presentCreatedAssistant(row: AssistantWithCreator, token: string): CreatedAssistant {
  return { type: "assistant", id: row.id, attributes: { ...attributesOf(row), token } };
}

function attributesOf(row: AssistantWithCreator) {
  const { permissions, widgets, channels } = readGrant(row);
  return {
    name: row.name,
    state: row.state as AssistantState,
    is_live: isLive(row),
    permissions: [...permissions],
    widgets: listed(widgets),
    channels: listed(channels),
    agent_id: row.agent_id,
    token_ending: row.token_ending,
    created_by: row.created_by,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    last_used_at: isoTimeOrNull(row.last_used_at),
    app: presentApp(row),
  };
}

function presentApp({ app: stored }: AssistantWithCreator) {
  const app = readApp(stored);
  if (!app) return null;
  const { name, host, redirectUri, resource, endedAt } = app;
  return { name, host, redirect_host: redirectHost(redirectUri), resource, ended_at: isoTimeOrNull(endedAt) };
}

const listed = <Name>(granted: "all" | readonly Name[]): "all" | Name[] => (granted === "all" ? granted : [...granted]);
