import { type AgentActor, actorOfKind } from "../access/actor.ts";
import type { Context } from "../context.ts";

/**
 * The signed-in agent, in an operation on the agent's own profile, sessions or settings: the policy allows these to no other
 * actor.
 */
export function signedInAgent({ actor }: Pick<Context, "actor">): AgentActor {
  return actorOfKind(actor, "agent");
}
