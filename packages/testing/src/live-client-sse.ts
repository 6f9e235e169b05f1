/** Server-sent events as a client reads them with `fetch`. */
import { expect } from "vitest";
import type { Frame } from "./live-client.ts";

export interface EventStream {
  /** The received frames, each with its id. */
  frames: (Frame & { id?: string })[];
  /** The final data of the server. */
  closed(): { code: number } | undefined;
  ended(): boolean;
  /** Stops reading until it resumes. */
  pause(): void;
  resume(): void;
  heard(type: string, count?: number): Promise<Frame>;
  leave(): void;
}

/** Opens a stream; resolves to it, or to the status of a refusal. */
export async function listenToEvents(
  origin: string,
  { token, query = {}, headers = {} }: { token?: string; query?: Record<string, string>; headers?: object },
): Promise<EventStream & { status: number; headers: Headers }> {
  const gone = new AbortController();
  const answer = await fetch(`${origin}/live/events?${new URLSearchParams(query)}`, {
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    signal: gone.signal,
  });
  const frames: (Frame & { id?: string })[] = [];
  let closed: { code: number } | undefined;
  let ended = false;
  let rest: PromiseWithResolvers<void> | undefined;
  const read = async () => {
    let begun = "";
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      await rest?.promise;
      const blocks = (begun + chunk).split("\n\n");
      begun = blocks.pop() ?? "";
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const data = JSON.parse(field("data") ?? "null");
        if (field("event") === "close") closed = data;
        else if (data) frames.push({ ...data, ...(field("id") && { id: field("id") }) });
      }
    }
  };
  if (answer.status === 200)
    void read().then(
      () => (ended = true),
      () => (ended = true),
    );
  return {
    status: answer.status,
    headers: answer.headers,
    frames,
    closed: () => closed,
    ended: () => ended,
    pause() {
      rest ??= Promise.withResolvers();
    },
    resume() {
      rest?.resolve();
      rest = undefined;
    },
    async heard(type, count = 1) {
      const found = () => frames.filter((frame) => frame.type === type);
      await expect.poll(() => found().length, { interval: 5 }).toBeGreaterThanOrEqual(count);
      return found()[count - 1];
    },
    leave: () => gone.abort(),
  };
}
