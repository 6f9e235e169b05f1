import { randomUUID } from "node:crypto";
import type { SystemActor } from "@frontdesk/server/access/actor";
import { createApiKey } from "@frontdesk/server/access/create-api-key";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import type { Runtime } from "@frontdesk/server/context";
import type { Perform } from "@frontdesk/server/perform";
import { createTeam } from "@frontdesk/server/teams/create-team";
import { createWidget } from "@frontdesk/server/widgets/create-widget";

/** A team with Ada the owner, a widget and an API key, for tests with their own app. */
export async function foundTeam(
  { perform }: { perform: Perform },
  runtime: Runtime,
): Promise<{ teamId: string; widgetId: string; apiKey: string; actor: SystemActor }> {
  const teamId = runtime.newId();
  const actor: SystemActor = { kind: "system", teamId };
  await perform(actor, createTeam, { name: "Acme" });
  const email = `ada-${randomUUID().slice(0, 8)}@acme.test`;
  await perform(actor, createAgent, { name: "Ada", email, role: "CHAT_AGENT_OWNER", passwordHash: null });
  const widget = await perform(actor, createWidget, { name: "Website" });
  const { value: apiKey } = await perform(actor, createApiKey, { name: "main" });
  return { teamId, widgetId: widget.id, apiKey, actor };
}
