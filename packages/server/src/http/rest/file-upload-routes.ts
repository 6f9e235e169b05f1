import { rest } from "@frontdesk/core/contract";
import { serveOperation } from "../framework/serve-operation.ts";
import type { Endpoint } from "./rest-endpoint.ts";

/** Files of programs and of signed-in agents. As `endpoint` makes the others, except for the body, which is not JSON. */
export const fileUploadRoutes: Endpoint[] = [
  {
    operation: rest.uploadFile,
    register(app, { door, receiveUpload }) {
      serveOperation(app, rest.uploadFile, {
        async enter(request, reply) {
          request.actor = await door(request, reply);
        },
        async answer({ query: { name }, request: { actor, upload } }) {
          if (!actor || !upload) throw new Error("The route was reached without an actor or a body.");
          const { id, ...attributes } = await receiveUpload(actor, { name, ...upload });
          return { data: { type: "file" as const, id, attributes } };
        },
      });
    },
  },
];
