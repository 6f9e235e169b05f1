import { expect, test } from "vitest";
import { agentOnlineStatuses, agentRoles, agentStatuses, canAct, invitableRoles } from "./agent.ts";

test("an agent is an owner, an admin or a member, and an invitation makes only the last two", () => {
  expect(agentRoles).toEqual(["CHAT_AGENT_OWNER", "CHAT_AGENT_ADMIN", "CHAT_AGENT_MEMBER"]);
  expect(invitableRoles).toEqual(["CHAT_AGENT_ADMIN", "CHAT_AGENT_MEMBER"]);
});

test("an agent is online, away or offline", () => {
  expect(agentOnlineStatuses).toEqual(["online", "away", "offline"]);
});

test("invited and active agents can be named as the one who acts, a deactivated one cannot", () => {
  expect(agentStatuses.filter((status) => canAct({ status }))).toEqual(["invited", "active"]);
  expect(canAct({ status: "deactivated" })).toBe(false);
});
