/** The runs of the built-in AI: why it said or did something (`GET /ai/runs`). */
import type { AiOutcome } from "@frontdesk/core/domain/ai/ai-settings";
import { ROOT } from "./send.ts";
import { ServiceError } from "./service-error.ts";
import { fetchVerified } from "./verify-again.ts";

/** A request to the model, as it was sent, and the answer to it. */
export interface ModelCall {
  request: string;
  response: string;
  /** Of HTTP; null without an answer. */
  status: number | null;
  milliseconds: number;
  /** Why the answer was not used, one of `aiRunReasons`; null where it was. */
  check: string | null;
}

export interface AiRun {
  id: string;
  attributes: {
    outcome: AiOutcome;
    /** One of `aiRunReasons`. */
    reason: string | null;
    sources: { article_id: string; title: string }[];
    /** Empty without a call, and where they are not kept. */
    calls: ModelCall[];
    tokens_in: number;
    tokens_out: number;
    milliseconds: number;
    created_at: string;
  };
}

const TIMEOUT_MS = 30_000;
/** Among so many runs of a conversation, the newest ones, the one of a handoff is looked for. */
const LATEST = 100;

export async function aiRun(id: string): Promise<AiRun> {
  return (await get<{ data: AiRun }>(`/${id}`)).data;
}

/** The run that handed a conversation over at this time; undefined when it is not kept any more. */
export async function handoffRun(conversationId: string, at: string): Promise<AiRun | undefined> {
  const { data } = await get<{ data: AiRun[] }>(
    `?${new URLSearchParams({ conversation_id: conversationId, limit: `${LATEST}` })}`,
  );
  const apart = ({ attributes }: AiRun) => Math.abs(Date.parse(attributes.created_at) - Date.parse(at));
  const [nearest] = data
    .filter(({ attributes }) => attributes.outcome === "handed-over")
    .sort((one, other) => apart(one) - apart(other));
  return nearest && aiRun(nearest.id);
}

async function get<Body>(path: string): Promise<Body> {
  const answer = await fetchVerified(() =>
    fetch(`${ROOT}/app/api/v1/ai/runs${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
  );
  if (!answer.ok) throw new ServiceError(answer.status, await answer.json().catch(() => ({})));
  return answer.json();
}
