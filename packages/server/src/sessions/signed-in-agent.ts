import { type AgentActor, actorOfKind } from "../access/actor.ts";
import type { Context } from "../context.ts";

/** Who asks, in an operation on one's own things: nobody else has a row of the policy for these. */
export function signedInAgent({ actor }: Pick<Context, "actor">): AgentActor {
  return actorOfKind(actor, "agent");
}
