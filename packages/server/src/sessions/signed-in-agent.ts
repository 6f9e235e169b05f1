import type { AgentActor } from "../access/actor.ts";
import type { Context } from "../context.ts";

/** Who asks, in an operation on one's own things: nobody else has a row of the policy for these. */
export function signedInAgent({ actor }: Pick<Context, "actor">): AgentActor {
  if (actor.kind !== "agent") throw new Error("Only signed-in agents do this.");
  return actor;
}
