/** The runs of the built-in AI: why it said or did something. */
import type { AiRun } from "@frontdesk/core/contract/rest/ai-runs";
import { rest } from "./rest.ts";

export type { AiRun };

/** A request to the model, as it was sent, and the answer to it. */
export type ModelCall = AiRun["attributes"]["calls"][number];

/** Among so many runs of a conversation, the newest ones, the one of a handoff is looked for. */
const LATEST = 100;

export async function aiRun(id: string): Promise<AiRun> {
  return (await rest.getAiRun({ params: { run: id } })).data;
}

/** The run and the event are of one commit, with one time: another handoff of the conversation is further away. */
const NEAR_MS = 10_000;

/** The run that handed a conversation over at this time; undefined when it is not kept any more. */
export async function handoffRun(conversationId: string, at: string): Promise<AiRun | undefined> {
  const { data } = await rest.listAiRuns({ query: { conversation_id: conversationId, limit: LATEST } });
  const apart = ({ attributes }: AiRun) => Math.abs(Date.parse(attributes.created_at) - Date.parse(at));
  const [nearest] = data
    .filter((run) => run.attributes.outcome === "handed-over" && apart(run) < NEAR_MS)
    .sort((one, other) => apart(one) - apart(other));
  return nearest;
}
