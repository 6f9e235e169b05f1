import { randomUUID } from "node:crypto";
import type { SystemActor } from "../src/access/actor.ts";
import { createApiKey } from "../src/access/create-api-key.ts";
import { createAgent } from "../src/agents/create-agent.ts";
import type { Machine } from "../src/context.ts";
import type { Perform } from "../src/perform.ts";
import { createTeam } from "../src/teams/create-team.ts";
import { createWidget } from "../src/widgets/create-widget.ts";

/** A team with Ada the owner, a widget and an API key, where a test has an app of its own. */
export async function foundTeam(
  { perform }: { perform: Perform },
  machine: Machine,
): Promise<{ teamId: string; widgetId: string; apiKey: string; actor: SystemActor }> {
  const teamId = machine.newId();
  const actor: SystemActor = { kind: "system", teamId };
  await perform(actor, createTeam, { name: "Acme" });
  const email = `ada-${randomUUID().slice(0, 8)}@acme.test`;
  await perform(actor, createAgent, { name: "Ada", email, role: "CHAT_AGENT_OWNER", passwordHash: null });
  const widget = await perform(actor, createWidget, { name: "Website" });
  const { value: apiKey } = await perform(actor, createApiKey, { name: "main" });
  return { teamId, widgetId: widget.id, apiKey, actor };
}
