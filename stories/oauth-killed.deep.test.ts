/** A server that is killed while it gives or renews an app's tokens loses no connection (docs/decisions/0068-authorization-server.md). */
import { setTimeout as pause } from "node:timers/promises";
import { SESSION_PREFIX } from "@frontdesk/core/contract/session";
import { enginesOf } from "@frontdesk/testing/installation";
import { pkce } from "@frontdesk/testing/oauth-app";
import { expect, inject, onTestFinished, test } from "vitest";
import { rowsOf } from "../packages/server/test/attack/disorder.ts";
import { newServerProcess, type ServerProcess } from "../packages/server/test/attack/server-process.ts";

const ROUNDS = 24;
const REDIRECT = "https://app.test/callback";

/** Requests of Ada's browser, which she has signed in with. */
async function adaSignsIn({ origin }: ServerProcess) {
  let cookie = "";
  // biome-ignore lint/suspicious/noExplicitAny: the story reads any answer
  const ask = async (path: string, body: object): Promise<any> => {
    const headers = { origin, cookie, "content-type": "application/json" };
    const answer = await fetch(`${origin}${SESSION_PREFIX}${path}`, {
      ...{ method: "POST", headers, body: JSON.stringify(body) },
    });
    expect(answer.status).toBeLessThan(300);
    cookie ||= answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    return answer.json();
  };
  await ask("/sign-in", { email: "ada@acme.test", password: "correct horse" });
  return ask;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

test.each(enginesOf("sqlite"))(
  "killed at any moment over a code and over refreshes, the app stays connected (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    await server.team("Acme");
    await server.start();
    const ask = await adaSignsIn(server);
    const { origin } = server;
    const made = await fetch(`${origin}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "Robin", redirect_uris: [REDIRECT] }),
    });
    const { client_id } = (await made.json()) as { client_id: string };

    const token = (fields: Record<string, string>) =>
      fetch(`${origin}/oauth/token`, { method: "POST", body: new URLSearchParams({ client_id, ...fields }) });
    const refresh = (refresh_token: string) => token({ grant_type: "refresh_token", refresh_token });

    async function consent(): Promise<Record<string, string>> {
      const { challenge, verifier } = pkce();
      const query = new URLSearchParams({
        ...{ response_type: "code", client_id, redirect_uri: REDIRECT, resource: `${origin}/mcp` },
        ...{ code_challenge: challenge, code_challenge_method: "S256" },
      });
      const chosen = { permissions: ["view_tags"], widgets: "all", channels: [], agent_id: null };
      const carried = `q${Buffer.from(query.toString()).toString("base64url")}`;
      const { redirect_to } = await ask("/connect", { query: carried, ...chosen });
      const code = new URL(redirect_to).searchParams.get("code") ?? "";
      return { grant_type: "authorization_code", redirect_uri: REDIRECT, code, code_verifier: verifier };
    }

    /** The answer of a request during which the server is killed; undefined when it did not come. */
    async function killedDuring(afterMs: number, request: () => Promise<Response>): Promise<Tokens | undefined> {
      const answer = request()
        .then(async (given) => (given.status === 200 ? ((await given.json()) as Tokens) : undefined))
        .catch(() => undefined);
      await pause(afterMs);
      await server.kill();
      const given = await answer;
      await server.start();
      return given;
    }

    const lost = { codes: 0, refreshes: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await consent();
      let tokens = await killedDuring(round % 8, () => token(code));
      if (!tokens) {
        lost.codes += 1;
        // Either it was not used yet, or the person allows it again: the connection is the same one.
        const again = await token(code);
        const last = again.status === 200 ? again : await token(await consent());
        expect(last.status).toBe(200);
        tokens = (await last.json()) as Tokens;
      }
      const { refresh_token } = tokens;
      const renewed = await killedDuring(round % 8, () => refresh(refresh_token));
      if (!renewed) lost.refreshes += 1;
      const next = await refresh((renewed ?? tokens).refresh_token);
      expect(next.status).toBe(200);
      const { access_token } = (await next.json()) as Tokens;
      const list = await fetch(`${origin}/mcp`, {
        method: "POST",
        headers: {
          ...{ authorization: `Bearer ${access_token}`, "content-type": "application/json" },
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
      expect(await list.text()).toContain('"view-tags"');
    }
    // The premise: some answers were really lost.
    expect(lost.codes + lost.refreshes).toBeGreaterThan(0);
    const storage = server.open();
    const { assistants } = await storage.read(async (db) => ({
      assistants: await rowsOf(db, "SELECT state FROM assistants"),
    }));
    await storage.close();
    expect(assistants).toEqual([{ state: "active" }]);
  },
);
