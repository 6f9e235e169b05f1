/** The MCP Inspector's command line against our endpoint, as a user who sets up a host would try it: in both eras. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tools } from "@frontdesk/core/contract/tools";
import { connectAssistant } from "@frontdesk/testing/mcp-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { root } from "./house/source-files.ts";

const INSPECTOR = join(root, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
/** The Inspector's exit code when a tool's result is an error. */
const TOOL_ERROR = 5;

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
const robin = await connectAssistant(kit.app, acme);
const origin = await kit.app.start();
/** A separate home folder for its settings. */
const home = mkdtempSync(join(tmpdir(), "frontdesk-inspector-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

for (const era of ["modern", "legacy"] as const) {
  test(`the Inspector lists and calls the tools (${era})`, async () => {
    // It would exit with another code for a schema error that hosts fail on.
    const list = await inspect(era, "--method", "tools/list", "--strict");
    expect(list.code, list.told).toBe(0);
    expect(list.result.tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(tools));

    const call = await inspect(era, "--method", "tools/call", "--tool-name", "view-tags", "--tool-args-json", "{}");
    expect(call.code, call.told).toBe(0);
    expect(call.result.structuredContent).toEqual({ tags: [] });

    const given = JSON.stringify({ conversation_id: acme.widgetId });
    const named = ["--tool-name", "get-conversation", "--tool-args-json", given];
    const refused = await inspect(era, "--method", "tools/call", ...named);
    expect(refused.code, refused.told).toBe(TOOL_ERROR);
    expect(refused.result).toMatchObject({ isError: true, content: [{ text: "Conversation not found." }] });
  });
}

async function inspect(era: "modern" | "legacy", ...args: string[]) {
  const where = ["--cli", `${origin}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${robin.token}`];
  const command = [INSPECTOR, ...where, "--protocol-era", era, "--format", "json", ...args];
  const env = { PATH: process.env.PATH, HOME: home };
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  return new Promise<{ code: number; result: any; told: string }>((resolve) => {
    execFile(process.execPath, command, { env, timeout: 120_000 }, (error, stdout, stderr) => {
      const { result } = stdout.startsWith("{") ? JSON.parse(stdout) : {};
      resolve({ code: error ? Number(error.code) : 0, result, told: `${stdout}${stderr}`.slice(0, 2_000) });
    });
  });
}
