import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { appSetUps } from "./app-set-ups.ts";
import { assistantSetUps } from "./assistant-set-ups.ts";

const guide = readFileSync(new URL("../../../../../docs/guide/assistants.md", import.meta.url), "utf8");

test("what is pasted into a program is what the guide says", () => {
  const shell = assistantSetUps("$FRONTDESK_URL", "$FRONTDESK_TOKEN");
  const lastLine = (text: string) => text.split("\n").at(-1) ?? "";
  for (const command of [shell.claudeCode, lastLine(shell.codex), lastLine(shell.program)])
    expect(guide).toContain(`\n${command}\n`);
  // The guide continues with the form for functions.
  expect(guide).toContain(shell.http.slice(0, -1));
  const { cursor } = assistantSetUps("https://chat.example.com", `\${env:FRONTDESK_TOKEN}`);
  const written = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = ""]) => JSON.parse(block));
  expect(written).toContainEqual(JSON.parse(cursor));
});

test("the line that sets the token before a command holds it whole", () => {
  const { codex, program } = assistantSetUps("https://chat.test", "fd_assistant_x");
  for (const text of [codex, program]) expect(text).toMatch(/^export FRONTDESK_TOKEN="fd_assistant_x"\n/);
});

test("what is pasted to connect an app is what its guide says", () => {
  const apps = readFileSync(new URL("../../../../../docs/guide/connect-an-app.md", import.meta.url), "utf8");
  for (const { code, label } of appSetUps("https://chat.example.com/mcp")) {
    expect(apps).toContain(`\n## ${label}\n`);
    if (code !== undefined) expect(apps).toContain(code);
  }
});
