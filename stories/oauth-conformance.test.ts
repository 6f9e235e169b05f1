/** The public conformance suite's scenarios for authorization servers, over real HTTP; a person answers with the dashboard's API. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@frontdesk/testing/free-port";
import { register } from "@frontdesk/testing/oauth-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./house/source-files.ts";

const SUITE = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

test("both scenarios for authorization servers pass, without a warning", async () => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const kit = await startTestApp({ PORT: String(port), PUBLIC_URL: issuer });
  await kit.app.start();
  const admin = await signedIn(kit, await kit.team(), "CHAT_AGENT_ADMIN");
  const callbackPort = await freePort();
  const redirect = `http://127.0.0.1:${callbackPort}/callback`;
  const { body } = await register(kit, { client_name: "Conformance", redirect_uris: [redirect] });

  const folder = mkdtempSync(join(tmpdir(), "frontdesk-conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = [
    "authorization",
    "--url",
    issuer,
    "--client-id",
    body.client_id,
    "-p",
    String(callbackPort),
    "-o",
    folder,
  ];
  const suite = spawn(process.execPath, [SUITE, ...args]);
  let said = "";
  let opened = false;
  const read = (chunk: Buffer) => {
    said += chunk;
    // With what follows: a chunk may end within it.
    const url = new RegExp(`(${issuer}/oauth/authorize\\?\\S+)\\s`).exec(said)?.[1];
    if (!url || opened) return;
    opened = true;
    void answer(url);
  };
  onTestFinished(() => void suite.kill());
  suite.stdout.on("data", read);
  suite.stderr.on("data", read);
  const code = await new Promise((resolve) => suite.once("close", resolve));
  expect(said).toContain("authorization-code-grant");
  expect(said).not.toMatch(/warn/i);
  expect(said).not.toMatch(/fail(?:ed|ure): [1-9]|✗|FAILURE/i);
  expect(code, said).toBe(0);

  async function answer(url: string): Promise<void> {
    const { headers } = await fetch(url, { redirect: "manual" });
    const query = new URL(headers.get("location") ?? "").searchParams.get("request");
    const chosen = { permissions: ["view_tags"], widgets: "all", channels: [], agent_id: null };
    const { body: given } = await admin.post("/connect", { query, ...chosen });
    // The suite may say the address before it listens for the answer.
    await expect.poll(() => fetch(given.redirect_to).then(Boolean, () => false)).toBe(true);
  }
});
