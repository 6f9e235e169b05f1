/** The MCP Inspector connects by address alone, over its own OAuth; a person answers with the dashboard's API. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@frontdesk/testing/free-port";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./house/source-files.ts";

const INSPECTOR = join(root, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

test("the Inspector registers, sends a person to the consent, lists the tools, and comes back without one", async () => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const kit = await startTestApp({ PORT: String(port), PUBLIC_URL: issuer });
  await kit.app.start();
  const admin = await signedIn(kit, await kit.team(), "CHAT_AGENT_ADMIN");
  const home = mkdtempSync(join(tmpdir(), "frontdesk-inspector-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  let answered = 0;

  const list = await inspect(["--callback-url", callback, "--method", "tools/list"]);
  expect(list.code, list.said).toBe(0);
  expect(JSON.parse(list.out).result.tools.map(({ name }: { name: string }) => name)).toEqual(["view-tags"]);
  expect(answered).toBe(1);

  const call = await inspect(["--stored-auth-only", "--method", "tools/call", "--tool-name", "view-tags"]);
  expect(call.code, call.said).toBe(0);
  expect(JSON.parse(call.out).result.structuredContent).toEqual({ tags: [] });
  expect(answered).toBe(1);

  function inspect(args: string[]): Promise<{ code: number | null; out: string; said: string }> {
    const command = [INSPECTOR, "--cli", `${issuer}/mcp`, "--transport", "http", "--format", "json", ...args];
    // It asks only where it could open a browser, which is a program that does nothing.
    const opener = { MCP_AUTO_OPEN_ENABLED: "true", BROWSER: "true" };
    const env = { PATH: process.env.PATH, HOME: home, MCP_INSPECTOR_SECRET_STORE: "file", ...opener };
    const inspector = spawn(process.execPath, command, { env });
    onTestFinished(() => void inspector.kill());
    let out = "";
    let said = "";
    inspector.stdout.on("data", (chunk) => (out += chunk));
    inspector.stderr.on("data", (chunk) => {
      const before = urlIn(said);
      said += chunk;
      const url = urlIn(said);
      if (url && !before) void answer(url);
    });
    return new Promise((resolve) => inspector.once("close", (code) => resolve({ code, out, said })));
  }

  /** With what follows: a chunk may end within it. */
  function urlIn(said: string): string | undefined {
    return new RegExp(`(${issuer}/oauth/authorize\\?\\S+)\\s`).exec(said)?.[1];
  }

  async function answer(url: string): Promise<void> {
    answered += 1;
    const { headers } = await fetch(url, { redirect: "manual" });
    const query = new URL(headers.get("location") ?? "").searchParams.get("request");
    const chosen = { permissions: ["view_tags"], widgets: "all", channels: [], agent_id: null };
    const { body } = await admin.post("/connect", { query, ...chosen });
    // It may say the address before it listens for the answer.
    await expect.poll(() => fetch(body.redirect_to).then(Boolean, () => false)).toBe(true);
  }
});
