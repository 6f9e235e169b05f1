import { defaultWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { expect, test } from "vitest";
import { openTestStorage } from "../../test/test-kit.ts";
import { runCommand } from "./run-command.ts";

const { databaseUrl, dataDir } = await openTestStorage();
const env = { PORT: "0", LOG_LEVEL: "silent", DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };

/** Runs a command with `--json`; answers its code and what it said. */
async function command(...args: string[]) {
  const said: string[] = [];
  const output = { answer: (text: string) => void said.push(text), error() {} };
  const code = await runCommand([...args, "--json"], env, output);
  return { code, answer: JSON.parse(said.join("")) };
}

const owner = ["--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse", "--widget", "Website"];
const { answer: made } = await command("setup", "--team", "Acme", ...owner);
const update = (...options: string[]) => command("widget", "update", made.widget_id, ...options);

test("a setting that is named is set, and the others stay; greetings of two languages stand side by side", async () => {
  const sites = ["https://www.acme.test", "https://acme.shop"];
  const first = await update("--color", "#0F766E", "--sites", sites.join(", "));
  expect(first).toEqual({
    code: 0,
    answer: { id: made.widget_id, settings: { ...defaultWidgetSettings, color: "#0f766e", sites } },
  });
  await update("--language", "de", "--greeting-title", "Moin", "--greeting-text", "Was gibt es?");
  const { answer } = await update("--language", "pt-br", "--greeting-title", "Olá", "--greeting-text", "Tudo bem?");
  expect(answer.settings.greetings).toEqual({
    de: { title: "Moin", text: "Was gibt es?" },
    "pt-BR": { title: "Olá", text: "Tudo bem?" },
  });
  expect((await update("--sites", "any")).answer.settings).toMatchObject({ color: "#0f766e", sites: [] });
});

test("what cannot be taken is told at its option", async () => {
  const cases: [string[], string][] = [
    [["--color", "red"], "--color: "],
    [["--theme", "blue"], "--theme: "],
    [["--ask-email", "yes"], "--ask-email: "],
    [["--sites", "https://acme.test/shop"], "--sites: "],
    [["--greeting-title", "Hi"], "--language"],
    [["--language", "tlh", "--greeting-title", "x", "--greeting-text", "y"], "--greetings: "],
    [[], "widget update --help"],
  ];
  for (const [options, told] of cases) {
    const { code, answer } = await update(...options);
    expect([code, answer.error], options.join(" ")).toEqual([2, expect.stringContaining(told)]);
  }
  const unknown = await command("widget", "update", "nonsense", "--theme", "dark");
  expect(unknown.code).toBe(1);
});
