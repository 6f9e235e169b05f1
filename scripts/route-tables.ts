/**
 * The routes of the catalogues as plain data, for the packages that run in browsers: they load no schema and no library for
 * schemas. `npm run reference` writes the tables, and a house test holds them against the catalogues.
 */

import { inboxOperations } from "../packages/core/src/contract/inbox.ts";
import { type HttpOperation, mediaTypeOf } from "../packages/core/src/contract/index.ts";
import { rest } from "../packages/core/src/contract/rest.ts";
import { sessionOperations } from "../packages/core/src/contract/session.ts";
import { visitorOperations } from "../packages/core/src/contract/visitor.ts";

/** Each table by its path from the root of the project. */
export function routeTables(): Record<string, string> {
  return {
    "packages/client/src/rest-routes.ts": table("restRoutes", rest),
    "packages/client/src/inbox-routes.ts": table("inboxRoutes", inboxOperations),
    "packages/client/src/visitor-routes.ts": table("visitorRoutes", visitorOperations),
    "packages/dashboard/src/service/session-routes.ts": table("sessionRoutes", sessionOperations),
  };
}

function table(name: string, operations: Record<string, HttpOperation>): string {
  const lines = Object.entries(operations).map(([id, operation]) => `  ${id}: [${route(operation).join(", ")}],`);
  return `// Made from the contract by \`npm run reference\`; please do not edit it by hand.
export const ${name} = {
${lines.join("\n")}
} as const;
`;
}

function route(operation: HttpOperation): string[] {
  const { method, path, retrySafe, content } = operation;
  const marks = [retrySafe && "retrySafe", content, mediaTypeOf(operation) && "bytes"].filter(Boolean);
  return [method, path, ...marks].map((part) => JSON.stringify(part));
}
