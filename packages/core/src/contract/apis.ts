/** The APIs that are served over HTTP: the prefix of each, who may call it, and its catalogue. */
import { actionOperation, bulkOperation, INBOX_PREFIX, inboxActionNames, inboxOperations } from "./inbox.ts";
import type { HttpOperation } from "./operation.ts";
import { rest } from "./rest.ts";
import { SESSION_PREFIX, sessionOperations } from "./session.ts";
import { VISITOR_PREFIX, visitorArticles, visitorOperations, visitorUpload } from "./visitor.ts";

/**
 * Who may call. `api-key`: a program, by `X-API-KEY`. `agent`: an agent who is signed in, by the cookie of a session, and from
 * a page of ours where something changes. `visitor`: the holder of a visitor's bearer token.
 */
export type Door = "api-key" | "agent" | "agent or api-key" | "visitor";

export interface HttpApi {
  /** Before every path, parameters in braces. */
  readonly prefix: string;
  readonly door: Door;
  readonly operations: Readonly<Record<string, HttpOperation>>;
}

/** The operations on conversations, one at a time and many at once. */
const actions: Record<string, HttpOperation> = Object.fromEntries(
  inboxActionNames.flatMap((name) => [
    [name, actionOperation(name)],
    [`bulk ${name}`, bulkOperation(name)],
  ]),
);

export const apis = {
  rest: { prefix: "/api/v1", door: "api-key", operations: rest },
  /** The same operations, for agents who are signed in (docs/decisions/0025-signed-in-agents.md). */
  "signed-in rest": { prefix: `${SESSION_PREFIX}/v1`, door: "agent", operations: rest },
  session: { prefix: SESSION_PREFIX, door: "agent", operations: sessionOperations },
  inbox: { prefix: INBOX_PREFIX, door: "agent or api-key", operations: { ...inboxOperations, ...actions } },
  visitor: {
    prefix: VISITOR_PREFIX,
    door: "visitor",
    operations: { ...visitorOperations, ...visitorArticles, uploadFile: visitorUpload },
  },
} as const satisfies Record<string, HttpApi>;
