import { rest, successStatus } from "@frontdesk/core/contract";
import { takeBodyAsItComes, UPLOAD_PATIENCE } from "../files/upload-body.ts";
import type { Endpoint } from "./rest-endpoint.ts";

/** Files of programs and of signed-in agents. As `endpoint` makes the others, but for the body, which is no JSON. */
export const fileUploadRoutes: Endpoint[] = [
  {
    operation: rest.uploadFile,
    register(app, { door, receiveUpload }) {
      const { method, path, query, responses } = rest.uploadFile;
      const status = successStatus(rest.uploadFile);
      app.route<{ Querystring: { name: string } }>({
        method,
        url: path,
        config: { readsQuery: true, patience: UPLOAD_PATIENCE },
        async onRequest(request, reply) {
          request.upload = takeBodyAsItComes(request);
          reply.header("cache-control", "no-store");
          request.actor = await door(request, reply);
        },
        schema: { querystring: query, response: { [status]: responses[201].body } },
        async handler({ actor, upload, query: { name } }, reply) {
          if (!actor || !upload) throw new Error("The route was reached without an actor or a body.");
          const { id, ...attributes } = await receiveUpload(actor, { name, ...upload });
          return reply.code(status).send({ data: { type: "file", id, attributes } });
        },
      });
    },
  },
];
