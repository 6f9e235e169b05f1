/** The examples of the README, run as they are. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import * as agent from "./agent.ts";
import * as visitor from "./visitor.ts";

const { app, team } = await startTestApp();
const origin = await app.start();

test("the example of a visitor's chat shows what is said, live", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const blocks = readme.split("```ts\n").map((text) => text.split("```")[0] ?? "");
  const [example = "", ...others] = blocks.filter((text) => text.includes('from "@frontdesk/client/visitor"'));
  expect(others).toEqual([]);
  const names = /import \{ (.+) \} from/.exec(example)?.[1]?.split(", ") ?? [];
  const exported: Record<string, unknown> = { ...visitor };
  expect(Object.keys(exported)).toEqual(expect.arrayContaining(names));

  const acme = await team();
  const code = stripTypeScriptTypes(example)
    .replace(/^import .*$/m, "")
    .replace("https://chat.example.com", origin)
    .replace("your widget's id", acme.widgetId);
  const shown: string[][] = [];
  const run = new Function(...names, "draw", `${code}; return chat;`);
  const chat: visitor.VisitorChat = run(...names.map((name) => exported[name]), (lines: string[]) => shown.push(lines));
  expect(shown).toContainEqual(["Do you ship to Portugal? (on its way)"]);
  await expect.poll(() => chat.state.conversation && chat.state.connection).toBe("live");
  await adaReplies(acme, String(chat.state.conversation?.id));
  await expect
    .poll(() => shown.slice(-3))
    .toEqual([["You: Do you ship to Portugal?", "Ada: We do, Vera."], [], ["1 unread", "live"]]);
  chat.close();
});

test("the example of an agent's inbox shows the newest messages, live", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = readme
    .split("```ts\n")
    .map((text) => text.split("```")[0] ?? "")
    .find((text) => text.includes('from "@frontdesk/client/agent"'));
  const acme = await team();
  await veraWrites(acme);
  const code = stripTypeScriptTypes(example ?? "")
    .replace(/^import .*$/m, "")
    .replace("https://chat.example.com", origin)
    .replace("your agent's id", acme.ada.id)
    .replace("your API key", acme.apiKey);
  const shown: string[][] = [];
  const run = new Function("createAgentInbox", "listKey", "draw", `${code}; return inbox;`);
  const inbox: agent.AgentInbox = run(agent.createAgentInbox, agent.listKey, (lines: string[]) => shown.push(lines));
  await expect.poll(() => shown.at(-1)).toEqual(["live", "Do you ship to Portugal?"]);
  await veraWrites(acme, { name: "Hugo", content: "Hello!" });
  await expect.poll(() => shown.at(-1)?.toSorted()).toEqual(["Do you ship to Portugal?", "Hello!", "live"]);
  inbox.close();
});
