import { defaultWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
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

test("business hours are written as people write them, and changed a part at a time", async () => {
  const set = await update("--hours", "mon-tue 9-17", "--timezone", "Europe/Berlin", "--ask-rating", "off");
  const day = [{ from: "09:00", to: "17:00" }];
  const hours = { timezone: "Europe/Berlin", week: { mon: day, tue: day }, closed: [] };
  expect(set.answer.settings).toMatchObject({ hours, ask_rating: false });
  const { answer } = await update("--closed", "2026-12-25");
  expect(answer.settings).toMatchObject({ hours: { ...hours, closed: ["2026-12-25"] }, ask_rating: false });
  expect((await update("--hours", "always", "--ask-rating", "on")).answer.settings).toMatchObject({
    hours: null,
    ask_rating: true,
  });
});

test("articles are suggested to visitors once the owner says so", async () => {
  expect((await update("--sites", "any")).answer.settings).toMatchObject({ suggest_articles: false });
  expect((await update("--suggest-articles", "on")).answer.settings).toMatchObject({ suggest_articles: true });
  expect((await update("--suggest-articles", "off")).answer.settings).toMatchObject({ suggest_articles: false });
});

test("fields that pages may set are named, or none", async () => {
  expect((await update("--page-fields", "plan, cart value")).answer.settings.page_fields).toEqual([
    "plan",
    "cart value",
  ]);
  expect((await update("--page-fields", "none")).answer.settings.page_fields).toEqual([]);
});

test("an identity secret is made and shown once, and another one each time", async () => {
  const make = (...options: string[]) => command("widget", "identity", ...options);
  const first = await make("--widget", made.widget_id);
  expect(first).toEqual({
    code: 0,
    answer: { id: made.widget_id, identity_secret: expect.stringMatching(/^fd_identity_\w{71}$/) },
  });
  const second = await make("--widget", made.widget_id);
  expect(second.answer.identity_secret).not.toBe(first.answer.identity_secret);
  expect((await make("--widget", "nonsense")).code).toBe(1);
  expect((await make()).code).toBe(2);
});

test("an invalid value is reported at its option", async () => {
  const cases: [string[], string][] = [
    [["--color", "red"], "--color: "],
    [["--theme", "blue"], "--theme: "],
    [["--ask-email", "yes"], "--ask-email: "],
    [["--sites", "https://acme.test/shop"], "--sites: "],
    [["--page-fields", "x".repeat(101)], "--page-fields: "],
    [["--greeting-title", "Hi"], "--language"],
    [["--ask-rating", "maybe"], "--ask-rating: "],
    [["--hours", "mon 9-17"], "--timezone: "],
    [["--hours", "mon 17-9", "--timezone", "UTC"], "--hours: mon: 17:00-09:00 ends before it begins"],
    [["--hours", "mon 9-17", "--timezone", "Europe/Bonn"], "--hours: "],
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
