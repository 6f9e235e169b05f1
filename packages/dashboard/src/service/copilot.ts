/** The copilot: texts of the model, as they are written (docs/decisions/0080-copilot.md). */
import type { CopilotSource, RewriteWay } from "@frontdesk/core/domain/ai/copilot";
import { ROOT } from "./send.ts";
import { ServiceError } from "./service-error.ts";
import { fetchVerified } from "./verify-again.ts";

export interface CopilotAnswer {
  text: string;
  sources: CopilotSource[];
  /** The sentences that rest on no article. */
  unsourced: string[];
}

export type CopilotTask =
  | { does: "draft"; conversationId: string; instruction?: string }
  | { does: "summary"; conversationId: string; language: string }
  | { does: "rewrite"; text: string; how: RewriteWay; language?: string };

/**
 * @param onText gets the text so far
 * @throws ServiceError when there is no answer; what `signal` was aborted with
 */
export async function askCopilot(
  task: CopilotTask,
  { signal, onText }: { signal: AbortSignal; onText?: (soFar: string) => void },
): Promise<CopilotAnswer> {
  const { path, body } = requestOf(task);
  const response = await fetchVerified(() =>
    fetch(`${ROOT}/app/api/v1${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    }),
  ).catch((error) => {
    if (signal.aborted) throw error;
    throw new ServiceError(0, {});
  });
  if (!response.ok || !response.body) throw new ServiceError(response.status, await response.json().catch(() => ({})));
  let soFar = "";
  for await (const { event, data } of eventsOf(response.body)) {
    if (event === "end") return data as CopilotAnswer;
    if (event === "error") throw new ServiceError(response.status, data as object);
    soFar += (data as { text: string }).text;
    onText?.(soFar);
  }
  throw new ServiceError(0, {});
}

function requestOf(task: CopilotTask): { path: string; body: object } {
  switch (task.does) {
    case "draft":
      return {
        path: `/conversations/${task.conversationId}/ai/draft`,
        body: { instruction: task.instruction ?? null },
      };
    case "summary":
      return { path: `/conversations/${task.conversationId}/ai/summary`, body: { language: task.language } };
    case "rewrite": {
      const { text, how, language = null } = task;
      return { path: "/ai/rewrite", body: { text, how, language } };
    }
    default:
      return task satisfies never;
  }
}

/** Server-sent events in the form in which this service writes them: one line `event`, one line `data`. */
async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held += value;
    const blocks = held.split("\n\n");
    held = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      // A comment is none.
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}
