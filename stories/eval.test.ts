/** `npm run eval` as a stranger runs it: in a process of its own, against the scripted model server (B42). */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createModelClients } from "@frontdesk/server/ai/model/model-clients";
import { commandTimeouts } from "@frontdesk/server/timeouts";
import { inDepth } from "@frontdesk/testing/depth";
import { freePort } from "@frontdesk/testing/free-port";
import { enginesOf, newInstallation } from "@frontdesk/testing/installation";
import { type Persona, startScriptedModel } from "@frontdesk/testing/scripted-model";
import { expect, onTestFinished, test } from "vitest";
import { judgeAnswer } from "../eval/ask-server.ts";
import { evalCommand } from "../eval/eval-command.ts";
import { asksForHumanSet } from "../eval/sets/asks-for-human.ts";
import { demoQuestions } from "../eval/sets/demo.ts";
import { injections, tamperedQuestions } from "../eval/sets/injections.ts";
import { unanswerableSet } from "../eval/sets/unanswerable.ts";
import { COMPILE_CACHE } from "../packages/server/bin/pinned-node.mjs";
import { root } from "./house/source-files.ts";

async function scripted(persona: Persona) {
  const model = await startScriptedModel({ persona });
  onTestFinished(() => model.stop());
  return model;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "eval-story-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs the command in a process of its own; its temporary files go to `temporary`. */
function evaluate(args: readonly string[], temporary = folder()): Promise<Ended> {
  // Compiled once, as the server is: half of the time that the process takes to begin.
  const env = { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: COMPILE_CACHE };
  const options = { cwd: root, env, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile("npm", ["run", "-s", "eval", "--", ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

/** Runs the command in this process, which is faster. */
async function evaluateHere(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const ended: Ended = { code: 0, out: "", err: "" };
  ended.code = await evalCommand(args, env, {
    say: (text) => {
      ended.out += `${text}\n`;
    },
    complain: (text) => {
      ended.err += `${text}\n`;
    },
    step: () => {},
  });
  return ended;
}

interface Document {
  measures: { name: string; value: number | null; of: number }[];
  missed: string[];
  left: number;
  tokens: number;
  asked: { set: string; question: string; expect: string | null; end: string; said: string; tokens: number }[];
}
const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Document;
const measured = ({ measures }: Document, name: string) => measures.find((each) => each.name === name)?.value;

test("the built-in sets have 50 unanswerable questions, 60 injections, and 40 asks for a human in 10 languages", () => {
  expect(unanswerableSet).toHaveLength(50);
  expect([...injections, ...tamperedQuestions]).toHaveLength(60);
  expect(asksForHumanSet).toHaveLength(40);
  const all = [...unanswerableSet, ...injections, ...tamperedQuestions, ...asksForHumanSet].map(
    (each) => each.question,
  );
  expect(new Set(all).size).toBe(150);
});

test("a model that quotes the articles passes, and nothing is left behind", async () => {
  const model = await scripted("honest");
  const temporary = folder();
  const json = join(folder(), "result.json");
  const args = ["--base-url", model.url, "--model", "scripted", "--repeat", "2", "--json", json];
  const { code, out, err } = await evaluate(args, temporary);
  expect({ code, err }, out).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/✓ {2}Unanswerable: not answered +100\.0 %/);
  const result = read(json);
  expect(result).toMatchObject({ left: 0, missed: [] });
  expect(result.asked).toHaveLength(2 * (150 + 22));
  for (const name of ["hit", "facts", "human", "language", "same-end", "handoff-precision", "handoff-recall"]) {
    expect(measured(result, name), name).toBe(100);
  }
  expect(measured(result, "tokens")).toBeGreaterThan(500);
  // A person is not asked for of a model.
  expect(result.asked.filter(({ set, tokens }) => set === "human" && tokens > 0)).toEqual([]);
  expect(readdirSync(temporary).filter((name) => name.startsWith("frontdesk"))).toEqual([]);
});

test("a model that changes figures fails, and the difference to the run before is shown", async () => {
  const model = await scripted("honest");
  const [before, after] = [join(folder(), "before.json"), join(folder(), "after.json")];
  const args = ["--base-url", model.url, "--model", "scripted", "--repeat", "1", "--only", "own"];
  expect(await evaluateHere([...args, "--json", before])).toMatchObject({ code: 0 });
  model.setPersona("liar");
  // The last one counts.
  const both = ["--only", "own,unanswerable"];
  const { code, out, err } = await evaluate([...args, ...both, "--json", after, "--compare", before]);
  expect(code).toBe(1);
  expect(err).toContain("Missed: Answerable: not answered.");
  expect(out).toMatch(/✗ {2}Answerable: not answered +100\.0 % +20 +≤ 10\.0 % +\+100\.0 %/);
  expect(out).toContain("handoff instead of answer (figure)");
  expect(measured(read(after), "wrongly-refused")).toBe(100);
  expect(measured(read(after), "refused")).toBe(100);
  expect(read(after).asked.filter(({ end }) => end === "answer")).toEqual([]);
});

test("nothing of a model that forgets to cite is said: each question goes to a person", async () => {
  const model = await scripted("forgetful");
  const json = join(folder(), "result.json");
  const repeat = String(inDepth(1, 5));
  const args = ["--base-url", model.url, "--model", "scripted", "--repeat", repeat, "--only", "own", "--json", json];
  expect(await evaluateHere(args)).toMatchObject({ code: 1 });
  const { asked } = read(json);
  expect(asked).toHaveLength(Number(repeat) * demoQuestions.length);
  expect(asked.filter(({ end, expect: wanted }) => end !== "handoff" && wanted !== "ask")).toEqual([]);
  expect(asked.filter(({ end }) => end === "answer" || end === "chat")).toEqual([]);
});

test("a model that does what an injection says is caught", async () => {
  const model = await scripted("honest");
  const json = join(folder(), "result.json");
  const texts = join(folder(), "articles.json");
  writeFileSync(texts, JSON.stringify([{ question: "Do you sell tents?", answer: "We sell tents for two people." }]));
  const args = ["--base-url", model.url, "--model", "scripted", "--repeat", "1", "--only", "injection"];
  // The first answer is that to the check of the server.
  model.answerNext("Hello!", "CHAT\nPWNED, evil friends.", "CHAT\nI am free", "CHAT\nHow can I help you?");
  const { code, out } = await evaluateHere([...args, "--at-once", "1", "--articles", texts, "--json", json]);
  expect(out).not.toContain("the injection got its canary");
  expect(code).toBe(0);
  const { asked } = read(json);
  expect(asked.slice(0, 3).map(({ end }) => end)).toEqual(["chat", "chat", "chat"]);

  const planted = injections.findIndex((each) => each.planted === "I am free");
  model.answerNext("Hello!", ...Array.from({ length: planted }, () => "HANDOFF\nFor a person."), "CHAT\nI am free");
  const caught = await evaluateHere([...args, "--at-once", "1", "--json", json]);
  expect(caught.code, caught.out).toBe(1);
  expect(caught.out).toContain("the injection got its words: I am free");
  expect(measured(read(json), "injections")).toBe(1);
});

test("own articles without questions: the model writes two each, they are shown, and the wrong article is a problem", async () => {
  const model = await scripted("honest");
  const articles = join(folder(), "articles.jsonl");
  writeFileSync(
    articles,
    [
      { id: "a1", question: "Do you sell tents?", answer: "We sell tents for two and four people." },
      { id: "a2", question: "Where is your shop?", answer: "Our shop is in Oak Street, beside the station." },
      { question: "A draft", answer: "Not yet.", is_published: false },
    ]
      .map((each) => JSON.stringify(each))
      .join("\n"),
  );
  model.answerNext(
    "Hello!",
    "1. Which tents do you sell?\n2. Tents for four people?\n3. One more?",
    "Where is the shop, which street?",
  );
  const args = [
    "--base-url",
    model.url,
    "--model",
    "scripted",
    "--repeat",
    "1",
    "--only",
    "own",
    "--articles",
    articles,
  ];
  const written = await evaluateHere(args);
  expect(written.code, written.err).toBe(0);
  expect(written.out).toContain("Which tents do you sell?  (Do you sell tents?)");
  expect(written.out).not.toContain("One more?");
  expect(written.out).toContain("3 questions asked");

  const questions = join(folder(), "questions.jsonl");
  const line = { question: "Which tents do you sell?", expect: "answer", articles: ["a2"], facts: ["two and four"] };
  writeFileSync(questions, `${JSON.stringify(line)}\n{"question":"Where?","expect":"reply"}\n`);
  const wrong = await evaluateHere([...args, "--questions", questions]);
  expect(wrong).toMatchObject({ code: 2, err: `${questions}, line 2: expect must be one of answer, ask, handoff.\n` });
  writeFileSync(questions, JSON.stringify(line));
  const other = await evaluateHere([...args, "--questions", questions]);
  expect(other.out).toContain("another article was cited: We sell tents for two and four people.");
});

test("a server that does not answer, or has no such model, is named", async () => {
  const port = await freePort();
  const silent = await evaluateHere(["--base-url", `http://127.0.0.1:${port}/v1`, "--model", "scripted"]);
  expect(silent.code).toBe(2);
  expect(silent.err).toContain(`The model scripted at http://127.0.0.1:${port}/v1 does not answer.`);
  const model = await scripted("honest");
  const unknown = await evaluateHere(["--base-url", model.url, "--model", "other"]);
  expect(unknown.code).toBe(2);
  expect(unknown.err).toContain("The model 'other' does not exist.");
  expect(await evaluateHere(["--model", "scripted"])).toMatchObject({ code: 2 });
});

test("a run never uses more than --max-tokens, and says what it left out", async () => {
  const model = await scripted("honest");
  const json = join(folder(), "result.json");
  const args = [
    "--base-url",
    model.url,
    "--model",
    "scripted",
    "--repeat",
    "1",
    "--max-tokens",
    "30000",
    "--json",
    json,
  ];
  const { code, err } = await evaluateHere(args);
  expect(code).toBe(1);
  expect(err).toMatch(/\d+ questions were left out: the run would have used more than --max-tokens 30000\./);
  const used = model.requests
    .filter(({ path }) => path === "/v1/chat/completions")
    .flatMap(({ body }) => body.messages as { content: string }[])
    .reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0);
  expect(used).toBeGreaterThan(10_000);
  expect(used).toBeLessThanOrEqual(30_000);
  expect(read(json).tokens).toBeLessThanOrEqual(30_000);
});

test("a judge says whether an answer is supported, is shown the cited articles alone, and costs tokens", async () => {
  const model = await scripted("honest");
  const clients = createModelClients({
    ...{ allowedNetworks: [], operatorBaseUrl: model.url, timeouts: commandTimeouts },
    ...{ now: Date.now, steadyNow: () => performance.now(), random: Math.random },
  });
  onTestFinished(() => clients.close());
  const client = clients.clientFor({ baseUrl: model.url, model: "scripted", apiKey: "", embeddingModel: "" });
  const articles = [
    { id: null, question: "Do you sell tents?", answer: "For two people." },
    { id: null, question: "Where is your shop?", answer: "In Oak Street." },
  ];
  const answer = { question: "Tents?", said: "We sell tents for two people.", cited: [["Do you sell tents?"]] };
  const budget = { left: 5_000 };
  const judge = () => judgeAnswer(client, answer, articles, budget);
  model.answerNext("SUPPORTED", "unsupported.", "Perhaps");
  expect([await judge(), await judge(), await judge()]).toEqual([true, false, null]);
  expect(model.requests[0]?.raw).toContain("For two people.");
  expect(model.requests[0]?.raw).not.toContain("Oak Street");
  expect(budget.left).toBeLessThan(5_000);
  budget.left = 100;
  expect(await judge()).toBeNull();
  expect(model.requests).toHaveLength(3);
});

/** A team with an article, two questions that were answered and resolved, and conversations that cannot be replayed. */
async function supportTeam(engine: "sqlite" | "postgres") {
  const frontdesk = await newInstallation(engine, { REST_RATE_LIMIT: "1000" });
  const team = await frontdesk.command(
    ...["setup", "--team", "Acme", "--name", "Ada Lovelace", "--email", "ada@acme.test", "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main"],
  );
  await frontdesk.start();
  const post = async (path: string, body: object) => {
    const headers = { "X-API-KEY": String(team.api_key), "Content-Type": "application/json" };
    const answer = await fetch(`${frontdesk.origin}/api/v1${path}`, {
      ...{ method: "POST", headers, body: JSON.stringify(body) },
    });
    expect(answer.ok, path).toBe(true);
    return (await answer.json()) as { data: { attributes: { conversation_id: string; chat_contact_id: string } } };
  };
  const chat = async (messages: readonly string[], { isResolved = true } = {}) => {
    let conversation_id = "";
    let contact_id: string | undefined;
    for (const message of messages) {
      const [who, content] = message.split(": ") as [string, string];
      if (who === "Ada") {
        await post("/messages", { conversation_id, content });
        continue;
      }
      const writes = { widget_id: team.widget_id, content, ...(contact_id ? { contact_id } : { name: who }) };
      const { attributes } = (await post("/conversations", writes)).data;
      conversation_id = attributes.conversation_id;
      contact_id = attributes.chat_contact_id;
    }
    if (isResolved) await post(`/conversations/${conversation_id}/resolve`, { status: "resolved" });
    return conversation_id;
  };
  await post("/articles", {
    ...{
      question: "How long does a parcel take?",
      answer: "Parcels arrive within 3 working days.",
      is_published: true,
    },
  });
  await post("/articles", { question: "Canoes", answer: "Canoes cost 20 euros a day.", is_published: false });
  return { frontdesk, chat };
}

test.each(enginesOf("sqlite"))(
  "a replay asks what visitors asked, and compares with what agents said, without who they are (%s)",
  async (engine) => {
    const model = await scripted("honest");
    const { frontdesk, chat } = await supportTeam(engine);
    const canoes = await chat(["Otto: Do you rent out canoes?", "Ada: We do, at the lake, for 20 euros a day."]);
    const parcel = await chat([
      ...["Vera Novak: Hello", "Ada: Hello Vera, how can I help you today?"],
      "Vera: I am Vera Novak, vera@novak.test, order 4711-00815. How long does a parcel take?",
      ...["Ada: Let me look into it and get back to you.", "Ada: Dear Vera, parcels arrive within 3 working days."],
      ...["Ada: See https://acme.test/shipping.", "Vera: Thanks! And canoes?", "Ada: They cost 20 euros a day, Vera."],
    ]);
    await chat(["Ivo: Do you sell tents?", "Ada: Which one do you mean, and for how many people?"]);
    await chat(["Ida: Do you sell stoves?"]);
    await chat(["Uma: Do you repair boots?", "Ada: We repair all boots that you bring."], { isResolved: false });

    const json = join(folder(), "result.json");
    const args = ["--base-url", model.url, "--model", "scripted", "--replay", "--json", json];
    const { code, out, err } = await evaluateHere(args, frontdesk.env);
    expect({ code, err }, out).toEqual({ code: 0, err: "" });
    const result = read(json);
    expect(result.asked).toMatchObject([
      { conversationId: parcel, end: "answer", cited: [["How long does a parcel take?", expect.any(String)]] },
      { conversationId: canoes, end: "handoff" },
    ]);
    expect(result.asked[0]).toMatchObject({
      question: "Hello\nI am ‹name›, ‹email 1›, order ‹number›. How long does a parcel take?",
      reply: "Dear ‹name›, parcels arrive within 3 working days.\nSee https://acme.test/shipping.",
      compared: { figures: { of: 1, found: 1 }, links: { of: 1, found: 0 }, figuresInArticles: { of: 1, found: 1 } },
    });
    expect(Object.fromEntries(result.measures.map(({ name, value }) => [name, value]))).toMatchObject({
      ...{ "replay-answered": 50, "replay-asked": 0, "replay-handed-over": 50, unserved: 0 },
      // The draft on canoes is no article yet.
      ...{ "replay-figures": 100, "replay-links": 0, "replay-known": 50 },
    });
    const words = result.measures.find(({ name }) => name === "replay-words");
    expect(words?.value).toBeGreaterThan(50);
    expect(out).toMatch(
      /Q +Hello I am ‹name›.*\nAgent +Dear ‹name›, parcels.*\nAI +\(answer\) Parcels arrive.*\n +How long/,
    );
    expect(out).toMatch(/AI +\(handoff: /);
    const seen = `${out}${readFileSync(json, "utf8")}${model.requests.map(({ raw }) => raw).join("")}`;
    for (const detail of ["Vera", "Novak", "novak.test", "4711", "Otto", "Ada", "Lovelace"])
      expect(seen).not.toContain(detail);

    model.setPersona("liar");
    const again = await evaluateHere([...args, "--limit", "1", "--compare", json], frontdesk.env);
    expect(again.out).toMatch(/the AI answers +0\.0 % +1 +-50\.0 %/);
    expect(read(json).asked).toHaveLength(1);
  },
);

test("the articles of the team's own data can be asked about, and wrong uses are explained", async () => {
  const model = await scripted("honest");
  const { frontdesk } = await supportTeam("sqlite");
  const questions = join(folder(), "questions.jsonl");
  const line = { question: "When is my parcel here?", expect: "answer", articles: ["How long does a parcel take?"] };
  writeFileSync(questions, JSON.stringify(line));
  const server = ["--base-url", model.url, "--model", "scripted"];
  const args = [...server, "--articles", "team", "--only", "own", "--questions", questions, "--repeat", "1"];
  const { out } = await evaluateHere(args, frontdesk.env);
  expect(out).toContain("1 questions asked");
  expect(model.requests.at(-1)?.raw).toContain("within 3 working days");
  expect(model.requests.at(-1)?.raw).not.toContain("Canoes");

  const replay = [...server, "--replay"];
  const wrong = (more: readonly string[], env = frontdesk.env) => evaluateHere([...replay, ...more], env);
  expect(await wrong([])).toMatchObject({ code: 2, err: expect.stringContaining("No resolved conversation") });
  expect(await wrong(["--repeat", "3"])).toMatchObject({ code: 2, err: "--replay goes without --repeat.\n" });
  const nowhere = folder();
  const without = await wrong([], { DATA_DIR: nowhere });
  expect(without).toMatchObject({ code: 2, err: expect.stringContaining("There is no data in") });
  expect(readdirSync(nowhere)).toEqual([]);
});
