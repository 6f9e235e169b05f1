import { Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyRequest } from "fastify";
import type { VisitorActor } from "../../access/actor.ts";
import type { Stranger, StrangerBounds } from "../../limits/stranger-bounds.ts";
import { bearerToken } from "../framework/bearer-token.ts";

/**
 * Authentication for visitors (docs/decisions/0020-live-stream.md, 0028-bounds-for-strangers.md): counted by address before
 * anything is looked up, then by token when its session is known.
 *
 * @param evenOver as that of `authenticate.visitor`
 * @throws Refusal `not-authenticated`, `not-found` for the widget, `rate-limited`
 */
export type VisitorDoor = (request: AtWidget, evenOver?: boolean) => Promise<VisitorActor>;

/** A request whose address contains a widget. */
export type AtWidget = FastifyRequest<{ Params: { widget: string } }>;

export function visitorDoor({
  authenticate,
  bounds,
}: {
  authenticate: { visitor(token: string | undefined, widgetId: string, evenOver?: boolean): Promise<VisitorActor> };
  bounds: StrangerBounds;
}): VisitorDoor {
  return async (request, evenOver) => {
    const address = request.ip;
    await bounds.take({ address }, { requests: 1 });
    const visitor = await authenticate.visitor(bearerToken(request), request.params.widget, evenOver).catch(unknown);
    if (visitor.contactId === undefined) await bounds.take({ address }, { "unknown-tokens": 1 });
    else await bounds.take({ token: visitor.tokenHash }, { requests: 1 });
    return visitor;

    async function unknown(error: unknown): Promise<never> {
      if (error instanceof Refusal) await bounds.take({ address }, { "unknown-tokens": 1 });
      throw error;
    }
  };
}

/** What a visitor's act is counted by. */
export function strangerOf({ ip }: Pick<FastifyRequest, "ip">, visitor: VisitorActor): Stranger {
  const { contactId, tokenHash, teamId } = visitor;
  return { address: ip, team: teamId, token: contactId === undefined ? undefined : tokenHash };
}
