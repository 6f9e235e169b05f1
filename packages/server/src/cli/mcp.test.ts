/** `frontdesk mcp` before it connects a host; what it carries is tested in `mcp/stdio-bridge.test.ts` and a story. */
import { expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

test("without a token, or with an address that is none, it says what is missing and ends", async () => {
  const token = { FRONTDESK_TOKEN: "fd_assistant_x" };
  const cases: [env: Record<string, string>, args: string[], code: number, says: RegExp][] = [
    [{}, [], 1, /^FRONTDESK_TOKEN is not set\. .* frontdesk assistant create\n$/],
    [{ FRONTDESK_TOKEN: "fd assistant" }, [], 1, /^FRONTDESK_TOKEN is not a valid token \(not shown\)/],
    [{ ...token, PUBLIC_URL: "chat.test" }, [], 1, /PUBLIC_URL must be a plain/],
    [token, ["--url", "chat.test"], 2, /^--url must be a plain http:\/\/ or https:\/\/ address/],
    [token, ["--url", "https://robin:secret@chat.test/mcp"], 2, /^--url must be a plain/],
    [token, ["--token", "fd_assistant_x"], 2, /^Unknown option --token\./],
  ];
  for (const [env, args, code, says] of cases) {
    const said = { answers: "", errors: "" };
    const output = {
      answer: (words: string) => {
        said.answers += words;
      },
      error: (words: string) => {
        said.errors += words;
      },
    };
    expect([await runCommand(["mcp", ...args], env, output), said.answers]).toEqual([code, ""]);
    expect(said.errors).toMatch(says);
  }
});
