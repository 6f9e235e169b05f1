/** A reply that its agent can still undo is stored: a server that is killed meanwhile sends it once (docs/decisions/0052-undo-send.md). */
import { randomUUID } from "node:crypto";
import { SESSION_PREFIX } from "@frontdesk/core/contract/session";
import { enginesOf } from "@frontdesk/testing/installation";
import { expect, inject, onTestFinished, test } from "vitest";
import { visitorWrites } from "../packages/server/test/attack/counting-subscriber.ts";
import { rowsOf } from "../packages/server/test/attack/disorder.ts";
import { killAndStart, newServerProcess, type ServerProcess } from "../packages/server/test/attack/server-process.ts";

const MINUTE_MS = 60_000;

/** Requests of Ada's browser, which she has signed in with. */
async function adaSignsIn({ origin }: ServerProcess) {
  let cookie = "";
  // biome-ignore lint/suspicious/noExplicitAny: the story reads any answer
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${origin}${SESSION_PREFIX}${path}`, {
      method,
      headers: { origin, cookie, "content-type": "application/json" },
      ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
    });
    expect(answer.status).toBeLessThan(300);
    cookie ||= answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    return answer.json();
  };
  await ask("POST", "/sign-in", { email: "ada@acme.test", password: "correct horse" });
  return ask;
}

test.each(enginesOf("sqlite"))(
  "a reply that was held when the server was killed is sent once when it is back, and one that was undone is not (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    const team = await server.team("Acme");
    await server.start();
    const ask = await adaSignsIn(server);
    await visitorWrites(server, team, "Do you ship to Portugal?");
    const [conversation] = (await ask("GET", "/inbox/conversations?view=open")).conversations;
    const path = `/inbox/conversations/${conversation.id}`;
    const hold = async (content: string) => {
      const client_id = randomUUID();
      const answer = await ask("POST", `${path}/held-replies`, { client_id, content, hold_ms: MINUTE_MS });
      expect(answer).toEqual({ sent: null });
      return client_id;
    };
    await hold("We do.");
    await ask("DELETE", `${path}/held-replies?client_id=${await hold("We dont.")}`);
    const replies = async () => {
      const { messages } = await ask("GET", `${path}/messages`);
      return messages.flatMap(({ from, content }: { from: string; content: string }) =>
        from === "agent" ? [content] : [],
      );
    };

    await server.kill();
    // A minute passes.
    const storage = server.open();
    await storage.write(null, (db) => rowsOf(db, `UPDATE timers SET due_at = due_at - ${2 * MINUTE_MS}`));
    await storage.close();
    await server.start();
    await expect.poll(replies).toEqual(["We do."]);
    await killAndStart(server);
    expect(await replies()).toEqual(["We do."]);
    const { drafts } = await ask("GET", "/inbox/drafts");
    expect(drafts.map(({ content }: { content: string }) => content)).toEqual(["We dont."]);
  },
);
