/** Actors that are no persons: an automation, a channel account and the built-in AI, of a team in which they speak as Ada. */
import type { AiActor, AutomationActor, ChannelActor } from "@frontdesk/server/access/actor";
import { uuidv7 } from "@frontdesk/server/ids";
import type { TestTeam } from "./test-kit.ts";

const newId = uuidv7(() => Date.parse("2026-11-20T09:00:00.000Z"));

export function automatedActors({ teamId, ada }: TestTeam): {
  automation: AutomationActor;
  channel: ChannelActor;
  ai: AiActor;
} {
  return {
    automation: {
      kind: "automation",
      teamId,
      automationId: newId(),
      name: "Tag by topic",
      agentId: ada.id,
      chain: [],
    },
    channel: { kind: "channel", teamId, accountId: newId() },
    ai: { kind: "ai", teamId, aiId: newId(), name: "Robin", agentId: ada.id },
  };
}
