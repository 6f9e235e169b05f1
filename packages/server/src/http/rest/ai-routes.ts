import { rest } from "@frontdesk/core/contract";
import { getAi } from "../../ai/settings/get-ai.ts";
import { presentAi } from "../../ai/settings/present-ai.ts";
import { MODEL_TEST_TIMEOUT_MS, testAi } from "../../ai/settings/test-ai.ts";
import { updateAi } from "../../ai/settings/update-ai.ts";
import { serveOperation } from "../framework/serve-operation.ts";
import { type Endpoint, endpoint } from "./rest-endpoint.ts";

export const aiRoutes: Endpoint[] = [
  endpoint(
    rest.getAi,
    getAi,
    () => ({}),
    (ai) => ({ data: presentAi(ai) }),
  ),
  endpoint(
    rest.updateAi,
    updateAi,
    ({ body }) => body,
    (ai) => ({ message: "AI settings updated.", data: presentAi(ai) }),
  ),
  {
    operation: rest.testAi,
    register(app, { door, perform, testModel }) {
      serveOperation(app, rest.testAi, {
        async enter(request, reply) {
          request.actor = await door(request, reply);
        },
        async answer({ body, request: { actor } }) {
          if (!actor) throw new Error("The route was reached without an actor.");
          const connection = await perform(actor, testAi, body);
          // After the transaction that has opened the key.
          return { data: await testModel(connection, AbortSignal.timeout(MODEL_TEST_TIMEOUT_MS)) };
        },
      });
    },
  },
];
