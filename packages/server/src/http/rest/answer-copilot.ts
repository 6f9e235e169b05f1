import { PassThrough } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CopilotAnswer, CopilotCall } from "../../ai/copilot/ask-copilot.ts";
import { knownError, presentReason } from "../framework/answer-error.ts";

const EVENT_STREAM = "text/event-stream";

/**
 * The answer of the copilot: as JSON, or as server-sent events to a client that accepts them: `delta` `{text}`, then `end` with
 * the whole answer, or `error` `{message}`. The model is asked no longer than the client listens.
 *
 * @throws Refusal when the model gives no answer, and the client takes JSON
 */
export async function answerCopilot(
  request: FastifyRequest,
  reply: FastifyReply,
  ask: (call: CopilotCall) => Promise<CopilotAnswer>,
): Promise<{ data: CopilotAnswer } | PassThrough> {
  const signal = untilClosed(reply);
  if (!accepts(request)) return { data: await ask({ signal }) };

  reply.header("content-type", `${EVENT_STREAM}; charset=utf-8`).header("x-accel-buffering", "no");
  const events = new PassThrough();
  // The headers go at once: the client, and proxies between, see that the answer has begun.
  events.write(": writing\n\n");
  const send = (event: string, data: object) => events.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  void ask({ signal, onText: (text) => send("delta", { text }) })
    .then((answer) => send("end", answer))
    .catch((error) => {
      const { message, detail } = knownError(error, request);
      // The dashboard has it in the agent's language.
      send("error", { message, ...(request.actor?.kind === "agent" && presentReason(detail)) });
    })
    .finally(() => events.end());
  return events;
}

/** Aborted when the client has gone. */
export function untilClosed(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // Of the answer: the request itself is over as soon as its body is read.
  reply.raw.once("close", () => gone.abort());
  return gone.signal;
}

const accepts = ({ headers }: FastifyRequest): boolean => headers.accept?.includes(EVENT_STREAM) === true;
