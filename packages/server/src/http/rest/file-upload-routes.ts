import { rest } from "@frontdesk/core/contract";
import { type Endpoint, endpointAnsweredBy } from "./rest-endpoint.ts";

/** Files of programs and of signed-in agents. */
export const fileUploadRoutes: Endpoint[] = [
  endpointAnsweredBy(rest.uploadFile, async ({ query: { name }, actor, request: { upload } }, { receiveUpload }) => {
    if (!upload) throw new Error("The route was reached without a body.");
    const { id, ...attributes } = await receiveUpload(actor, { name, ...upload });
    return { data: { type: "file" as const, id, attributes } };
  }),
];
