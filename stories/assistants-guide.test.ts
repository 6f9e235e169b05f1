/** The guide on assistants: its commands work, and its single-file agent does what the guide says. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { createClient } from "@frontdesk/client";
import { newInstallation } from "@frontdesk/testing/installation";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./house/source-files.ts";

const guide = readFileSync(join(root, "docs/guide/assistants.md"), "utf8");

test("every command of the guide prints what the guide says", async () => {
  const frontdesk = await newInstallation("sqlite");
  const made = await setUp(frontdesk);
  await frontdesk.start();
  const env = {
    ...frontdesk.env,
    PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
    FRONTDESK_URL: frontdesk.origin,
    FRONTDESK_TOKEN: String(made.assistant_token),
    FRONTDESK_KEY: String(made.api_key),
  };
  const blocks = [...guide.matchAll(/```console\n([\s\S]*?)```/g)];
  const steps = blocks.flatMap(([, block = ""]) => [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)]);
  expect(steps.length).toBe(6);
  for (const [, command = "", output = ""] of steps) {
    const { stdout } = await promisify(execFile)("bash", ["-c", command], { cwd: root, env });
    expect(changing(stdout).trim(), command).toBe(changing(output).trim());
  }
});

test("the agent of the guide reads, and resolves only when its person says yes", async () => {
  const frontdesk = await newInstallation("sqlite");
  const made = await setUp(frontdesk);
  await frontdesk.start();
  const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey: String(made.api_key) });
  const body = { widget_id: String(made.widget_id), name: "Vera", content: "It has arrived, thank you!" };
  const conversation_id = (await api.sendVisitorMessage({ body })).data.attributes.conversation_id;
  const isResolved = async () => (await api.listConversations({})).data[0]?.attributes.is_resolved;

  // A scripted model: it lists conversations, resolves one, and reports.
  const model = await scriptedModel([
    { name: "list-conversations", given: { status: "unresolved" } },
    { name: "resolve-conversation", given: { conversation_ids: [conversation_id] } },
    "All done.",
  ]);
  const env = {
    ...process.env,
    FRONTDESK_URL: frontdesk.origin,
    FRONTDESK_TOKEN: String(made.assistant_token),
    MODEL_URL: `${model.origin}/v1/chat/completions`,
    MODEL: "scripted",
    MODEL_KEY: "none",
  };

  for (const [answer, resolved] of [
    ["no", false],
    ["yes", true],
  ] as const) {
    model.begin();
    const agent = spawn(process.execPath, [join(root, "docs/guide/assistants/agent.mjs")], { env });
    agent.stdin.end(`${answer}\n`);
    const [said, asked] = await Promise.all([text(agent.stdout), text(agent.stderr)]);
    expect(asked).toContain("This will resolve the conversation with Vera. Do it?");
    expect(said.trim()).toBe("All done.");
    expect(await isResolved()).toBe(resolved);
  }
  const [, listed, done] = model.asked;
  expect(listed?.messages.at(-1)?.content).toContain(conversation_id);
  expect(done?.messages.at(-1)?.content).toBe('{"message":"The person said no."}');
});

function setUp(frontdesk: Awaited<ReturnType<typeof newInstallation>>) {
  return frontdesk.command(
    ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main", "--assistant", "main"],
  );
}

/** Values that differ in every run. */
const changing = (printed: string) =>
  printed
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/fd_\w+/g, "TOKEN");

type Turn = string | { name: string; given: object };

/** A model with scripted answers, turn by turn. */
async function scriptedModel(turns: readonly Turn[]) {
  const asked: { messages: { content?: string }[] }[] = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    asked.push((await json(request)) as (typeof asked)[number]);
    const turn = turns[next];
    next += 1;
    const message =
      typeof turn === "string"
        ? { role: "assistant", content: turn }
        : {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                id: `call_${next}`,
                type: "function",
                function: { name: turn?.name, arguments: JSON.stringify(turn?.given) },
              },
            ],
          };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ choices: [{ message }] }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    begin() {
      next = 0;
    },
  };
}
