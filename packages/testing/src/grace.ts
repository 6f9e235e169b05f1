/** Grace, a colleague of Ada's. */
import { createAgent } from "@frontdesk/server/agents/create-agent";
import type { TestApp, TestTeam } from "./test-kit.ts";

/** Grace joins the team. */
export async function graceJoins(
  { app }: Pick<TestApp, "app">,
  team: TestTeam,
): Promise<{ id: string; name: string; email: string }> {
  const grace = { email: "grace@acme.test", name: "Grace" };
  const who = { ...grace, role: "CHAT_AGENT_MEMBER", passwordHash: null } as const;
  const { id } = await app.perform(team.actor, createAgent, who);
  return { id, ...grace };
}
