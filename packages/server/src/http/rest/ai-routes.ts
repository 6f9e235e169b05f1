import { rest } from "@frontdesk/core/contract";
import { getAiReport } from "../../ai/outcomes/get-ai-report.ts";
import { presentAiReport } from "../../ai/outcomes/present-ai-report.ts";
import { getAiRun, listAiRuns } from "../../ai/runs/list-runs.ts";
import { presentAiRun } from "../../ai/runs/present-run.ts";
import { getAi } from "../../ai/settings/get-ai.ts";
import { presentAi } from "../../ai/settings/present-ai.ts";
import { endModelTrouble, MODEL_TEST_TIMEOUT_MS, testAi } from "../../ai/settings/test-ai.ts";
import { updateAi } from "../../ai/settings/update-ai.ts";
import { takeOver } from "../../ai/speaker/take-over.ts";
import { presentConversation } from "../../conversations/present-conversation.ts";
import { returnToAssistant } from "../../conversations/return-to-assistant.ts";
import { listBody, pageOf } from "./list-body.ts";
import { type Endpoint, endpoint, endpointAnsweredBy } from "./rest-endpoint.ts";

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
  endpointAnsweredBy(rest.testAi, async ({ body, actor }, { perform, testModel }) => {
    const { connection, savedAt } = await perform(actor, testAi, body);
    // After the transaction that has opened the key.
    const data = await testModel(connection, AbortSignal.timeout(MODEL_TEST_TIMEOUT_MS));
    const answers = data.some(({ check, ok }) => check === "model" && ok);
    const system = { kind: "system", teamId: actor.teamId } as const;
    if (answers && savedAt !== undefined) await perform(system, endModelTrouble, { savedAt });
    return { data };
  }),
  endpoint(
    rest.listAiRuns,
    listAiRuns,
    ({ query }) => ({ ...pageOf(query), conversationId: query.conversation_id }),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentAiRun),
  ),
  endpoint(
    rest.getAiRun,
    getAiRun,
    ({ params }) => ({ runId: params.run }),
    (run) => ({ data: presentAiRun(run) }),
  ),
  endpoint(
    rest.getAiReport,
    getAiReport,
    ({ query }) => query,
    (report) => ({ data: presentAiReport(report) }),
  ),
  endpoint(
    rest.takeOverConversation,
    takeOver,
    ({ params }) => ({ conversationId: params.conversation_id }),
    (conversation) => ({ message: "Conversation taken over.", data: presentConversation(conversation) }),
  ),
  endpoint(
    rest.returnToAssistant,
    returnToAssistant,
    ({ params }) => ({ conversationId: params.conversation_id }),
    (conversation) => ({ message: "Conversation returned.", data: presentConversation(conversation) }),
  ),
];
