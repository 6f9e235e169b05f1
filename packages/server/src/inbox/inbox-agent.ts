import { notAllowed } from "@frontdesk/core/domain/refusal";
import { ownAgentId } from "../access/by-actor.ts";
import type { Context } from "../context.ts";

/**
 * The agent of an inbox: the one who is signed in, or whose key is used.
 *
 * @throws Refusal `not-allowed` for actors without an agent: they have no inbox
 */
export function inboxAgentId({ actor }: Pick<Context, "actor">): string {
  const id = ownAgentId(actor);
  if (id === undefined) throw notAllowed("not-allowed");
  return id;
}
