import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SystemActor } from "../access/actor.ts";
import { createAuthentication } from "../access/authenticate.ts";
import { hashPassword, passwordFits } from "../access/password.ts";
import { unlockVault } from "../access/secret-key.ts";
import { TOTP_STEP_MS, totpCode } from "../access/totp.ts";
import { agentById, firstOwner } from "../agents/agent-store.ts";
import { beginApp, confirmApp } from "../factors/authenticator-app.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { resetPassword } from "../sessions/reset-password.ts";
import { startSession } from "../sessions/start-session.ts";
import { statement } from "../storage/statement.ts";
import { runCommand } from "./run-command.ts";

const FRONTDESK = fileURLToPath(new URL("../../bin/frontdesk.mjs", import.meta.url));

/** An installation of its own, in fresh data. */
async function install() {
  const { storage, databaseUrl, dataDir } = await openTestStorage();
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    LOG_LEVEL: "silent",
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const start = (args: string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [FRONTDESK, ...args], { env: { ...env, ...more }, stdio: "pipe" });

  return {
    storage,
    dataDir,
    start,
    /** Runs a command to its end, as a process of its own. */
    async run(args: string[], { input = "", env: more = {} }: { input?: string; env?: Record<string, string> } = {}) {
      const child = start(args, more);
      child.stdin.end(input);
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      return { code: code as number, stdout, stderr };
    },
    /** Runs a command in this process, which is quicker. */
    async call(args: string[], more: Record<string, string> = {}) {
      const said = { stdout: "", stderr: "" };
      const code = await runCommand(
        args,
        { ...env, ...more },
        {
          answer: (words) => {
            said.stdout += words;
          },
          error: (words) => {
            said.stderr += words;
          },
        },
      );
      return { code, ...said };
    },
    async json(args: string[]) {
      const { code, stdout } = await this.call([...args, "--json"]);
      expect(stdout.trimEnd().split("\n")).toHaveLength(1);
      return { code, answer: JSON.parse(stdout) };
    },
  };
}

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const ada = ["--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"];
const [fresh, running, old] = [await install(), await install(), await install()];

describe("one installation from its first day", () => {
  const made: Record<string, string> = {};
  const keyOf = (value: string) => createAuthentication(fresh.storage, Date.now, () => {}).apiKey(value);

  it("setup makes the data, a team, its owner, a widget and a key", async () => {
    const args = ["setup", "--team", "Acme", ...ada, "--widget", "Website", "--api-key", "main"];
    const { code, answer } = await fresh.json(args);
    expect([code, answer]).toEqual([
      0,
      { team_id: uuid, agent_id: uuid, widget_id: uuid, api_key: expect.stringMatching(/^fd_key_/) },
    ]);
    Object.assign(made, answer);
    expect((await keyOf(answer.api_key)).actor).toMatchObject({ teamId: made.team_id, agentId: made.agent_id });
  });

  it("setup --assistant creates an assistant that may do everything, everywhere, and replies as the owner", async () => {
    const other = await install();
    const asked = ["setup", "--team", "Acme", ...ada, "--api-key", "main", "--assistant", "main", "--json"];
    const { code, answer } = await other.json(asked.slice(0, -1));
    expect(code).toBe(0);
    expect(Object.keys(answer)).toEqual(["team_id", "agent_id", "widget_id", "api_key", "assistant_token"]);
    const server = createAuthentication(other.storage, Date.now, () => {});
    expect(await server.assistant(answer.assistant_token)).toMatchObject({
      live: true,
      actor: {
        kind: "assistant",
        teamId: answer.team_id,
        agentId: answer.agent_id,
        createdBy: answer.agent_id,
        permissions: assistantPermissionNames,
        widgets: "all",
        channels: "all",
      },
    });
  });

  it("agent password prints a link that works once; agent deactivate signs an agent out beside a running server", async () => {
    const acme: SystemActor = { kind: "system", teamId: made.team_id ?? "" };
    const runtime = createRuntime(await unlockVault({ secretKey: undefined, dataDir: fresh.dataDir }, fresh.storage));
    const perform = createPerform(fresh.storage, runtime);
    const grace = ["--name", "Grace", "--email", "grace@acme.test", "--role", "member", "--password", "correct horse"];
    const { id } = (await fresh.json(["agent", "create", ...grace])).answer;
    const { answer } = await fresh.json(["agent", "password", "--email", "Grace@acme.test"]);
    expect(answer).toEqual({
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/app\/reset-password#fd_reset_\w+$/),
    });
    const token = answer.link.split("#")[1];
    const passwordHash = await hashPassword("another horse");
    expect(await perform(acme, resetPassword, { token, passwordHash })).toMatchObject({ id });
    await expect(perform(acme, resetPassword, { token, passwordHash })).rejects.toThrow("no longer valid");

    const started = await perform(acme, startSession, {
      agentId: id,
      passwordHash,
      wayIn: "password",
      browser: { tokens: [], userAgent: undefined },
    });
    const server = createAuthentication(fresh.storage, Date.now, () => {});
    expect((await server.session(started.token)).actor.agentId).toBe(id);
    const { answer: gone } = await fresh.json(["agent", "deactivate", "--email", "grace@acme.test"]);
    expect(gone).toEqual({ id, status: "deactivated", api_keys: [], assistants: [] });
    await expect
      .poll(() => server.session(started.token).then(String, String))
      .toContain("Your account is deactivated.");
    const last = await fresh.json(["agent", "deactivate", "--email", "ada@acme.test"]);
    expect([last.code, last.answer.error]).toEqual([1, expect.stringContaining("last owner")]);
    const nobody = await fresh.json(["agent", "password", "--email", "eve@acme.test"]);
    expect([nobody.code, nobody.answer.error]).toEqual([1, expect.stringContaining("eve@acme.test")]);
  });

  it("agent reset-factors removes the factors of an agent, also of the last owner, and leaves the password", async () => {
    const acme: SystemActor = { kind: "system", teamId: made.team_id ?? "" };
    const runtime = createRuntime(await unlockVault({ secretKey: undefined, dataDir: fresh.dataDir }, fresh.storage));
    const perform = createPerform(fresh.storage, runtime);
    const reset = () => fresh.json(["agent", "reset-factors", "--email", "ADA@acme.test"]);
    expect((await reset()).answer).toEqual({ removed: false });
    const ada = await fresh.storage.read((db) => db.first(firstOwner, { team_id: acme.teamId }));
    const { id: agentId = "", password_hash } = ada ?? {};
    const passwordHash = password_hash ?? "";
    const browser = { tokens: [], userAgent: undefined };
    const signIn = () => perform(acme, startSession, { agentId, passwordHash, wayIn: "password", browser });
    const started = await signIn();
    const server = createAuthentication(fresh.storage, Date.now, () => {});
    const { actor } = await server.session(started.token);
    const { secret } = await perform(actor, beginApp, {});
    await perform(actor, confirmApp, { code: totpCode(secret, Math.floor(Date.now() / TOTP_STEP_MS)) });
    expect((await signIn()).outcome).toBe("second-step");
    expect((await reset()).answer).toEqual({ removed: true });
    expect((await signIn()).outcome).toBe("session");
  });

  it("assistant create grants what is asked for; pause, resume and revoke change it beside a running server", async () => {
    const grant = ["--permissions", "send_replies,read_conversations", "--widgets", made.widget_id ?? ""];
    const { answer } = await fresh.json(["assistant", "create", "--name", "Helper", ...grant, "--agent", "none"]);
    expect(answer).toEqual({ id: uuid, token: expect.stringMatching(/^fd_assistant_/) });
    const server = createAuthentication(fresh.storage, Date.now, () => {});
    const state = () =>
      server.assistant(answer.token).then(
        ({ live }) => (live ? "live" : "paused"),
        () => "refused",
      );
    expect((await server.assistant(answer.token)).actor).toMatchObject({
      permissions: ["read_conversations", "send_replies"],
      widgets: [made.widget_id],
      channels: [],
      agentId: null,
    });
    for (const [word, told, then] of [
      ["pause", "paused", "paused"],
      ["resume", "active", "live"],
      ["revoke", "revoked", "refused"],
    ] as const) {
      expect((await fresh.json(["assistant", word, answer.id])).answer).toEqual({ id: answer.id, state: told });
      await expect.poll(state).toBe(then);
    }
    expect(await fresh.json(["assistant", "resume", answer.id])).toEqual({
      code: 1,
      answer: { error: "state: This connection is revoked. Create a new one." },
    });
    const { answer: listed } = await fresh.json(["assistant", "list"]);
    expect(listed).toEqual([
      {
        id: answer.id,
        name: "Helper",
        state: "revoked",
        ending: answer.token.slice(-4),
        permissions: ["read_conversations", "send_replies"],
        widgets: [made.widget_id],
        channels: [],
        agent_id: null,
        created_by: made.agent_id,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
      },
    ]);
    const { stdout } = await fresh.call(["assistant", "list"]);
    expect(stdout).toMatch(new RegExp(`^${answer.id}  …${answer.token.slice(-4)}  Helper, revoked, last used .*Z\n$`));
    expect(stdout).not.toContain("fd_assistant_");
    const wrong = ["assistant", "create", "--name", "X", "--permissions", "fly", "--widgets", "none"];
    expect((await fresh.json(wrong)).answer.error).toContain('permissions: Unknown: "fly".');
  });

  it("a second setup with the same e-mail is refused with code 1, as JSON when it was asked for", async () => {
    const refused = { error: "email: An account with this email address already exists." };
    expect(await fresh.json(["setup", "--team", "Copy", ...ada])).toEqual({ code: 1, answer: refused });
    const { code, stdout, stderr } = await fresh.call(["setup", "--team", "Copy", ...ada]);
    expect([code, stdout, stderr]).toEqual([1, "", `${refused.error}\n`]);
  });

  it("the other commands do without --team while there is one team", async () => {
    const key = await fresh.json(["key", "create", "--name", "reader", "--scopes", "agents:read,contacts:read"]);
    expect(key.answer).toEqual({ id: uuid, api_key: expect.any(String) });
    expect((await keyOf(key.answer.api_key)).actor).toMatchObject({
      scopes: ["contacts:read", "agents:read"],
      agentId: made.agent_id,
    });
    expect((await fresh.json(["widget", "create", "--name", "Shop"])).answer).toEqual({ id: uuid });

    const { code, stdout } = await fresh.run(
      ["agent", "create", "--name", "Lin", "--email", "lin@acme.test", "--role", "admin", "--password", "-", "--json"],
      { input: "a long password\nnot this line\n" },
    );
    expect(code).toBe(0);
    const lin = await fresh.storage.read((db) =>
      db.first(agentById, { team_id: made.team_id ?? "", id: JSON.parse(stdout).id }),
    );
    expect(lin).toMatchObject({ name: "Lin", role: "CHAT_AGENT_ADMIN", status: "active" });
    expect(await passwordFits(lin?.password_hash ?? "", "a long password")).toBe(true);
    const again = ["agent", "create", "--name", "Lin", "--email", "lin@acme.test", "--role", "CHAT_AGENT_MEMBER"];
    expect(await fresh.json(again)).toMatchObject({ code: 1, answer: { error: expect.stringContaining("already") } });
  });

  it("team update switches the API access of a team", async () => {
    for (const access of ["off", "on"]) {
      const { answer } = await fresh.json(["team", "update", made.team_id ?? "", "--api-access", access]);
      expect(answer).toEqual({ id: made.team_id, api_access: access === "on" });
      expect((await keyOf(made.api_key ?? "")).apiAccess).toBe(access === "on");
    }
  });

  it("key list shows the keys without their values, and key revoke ends one, also in a running server", async () => {
    const { answer: key } = await fresh.json(["key", "create", "--name", "lost"]);
    const server = createAuthentication(fresh.storage, Date.now, () => {});
    await expect(server.apiKey(key.api_key)).resolves.toBeDefined();
    await expect(server.apiKey(key.api_key)).resolves.toBeDefined();
    const { stdout } = await fresh.call(["key", "list", "--json"]);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ id: key.id, name: "lost", ending: key.api_key.slice(-4), revoked_at: null }),
    );
    expect(stdout).not.toContain(key.api_key);

    expect((await fresh.json(["key", "revoke", key.id])).answer).toEqual({ id: key.id, revoked: true });
    await expect
      .poll(() =>
        server.apiKey(key.api_key).then(
          () => "works",
          () => "refused",
        ),
      )
      .toBe("refused");
    expect((await fresh.json(["key", "revoke", key.id])).code).toBe(0);
    expect((await fresh.call(["key", "list"])).stdout).toMatch(/lost, revoked 2/);
    expect(await fresh.json(["key", "revoke", made.team_id ?? ""])).toEqual({
      code: 1,
      answer: { error: "API key not found." },
    });
  });

  it("a key stops working at its --expires", async () => {
    const { answer } = await fresh.json(["key", "create", "--name", "short", "--expires", "2999-01-01"]);
    const at = (now: string) =>
      createAuthentication(
        fresh.storage,
        () => Date.parse(now),
        () => {},
      );
    await expect(at("2998-12-31T23:59:59Z").apiKey(answer.api_key)).resolves.toBeDefined();
    await expect(at("2999-01-01T00:00:00Z").apiKey(answer.api_key)).rejects.toThrow();
    expect(await fresh.call(["key", "create", "--name", "late", "--expires", "2001-01-01"])).toMatchObject({ code: 2 });
  });

  it("with several teams --team must say which, and the error lists them", async () => {
    const second = await fresh.json(["setup", "--team", "Beta", ...ada.with(3, "sam@beta.test")]);
    expect(second.answer).toEqual({ team_id: uuid, agent_id: uuid, widget_id: uuid });
    const { answer } = await fresh.json(["widget", "create", "--name", "Shop"]);
    expect(answer.error).toContain(`${made.team_id}  Acme`);
    expect(answer.error).toContain(`${second.answer.team_id}  Beta`);
    const named = ["widget", "create", "--name", "Shop", "--team", second.answer.team_id.toUpperCase()];
    expect(await fresh.json(named)).toEqual({ code: 0, answer: { id: uuid } });
  });

  it("with several teams a command that names a thing by its id needs no --team, whichever team has it", async () => {
    const third = (await fresh.json(["setup", "--team", "Gamma", ...ada.with(3, "gil@gamma.test")])).answer;
    const ofTeam = ["--team", third.team_id];
    const assistant = ["assistant", "create", "--name", "Robin", "--permissions", "all", "--widgets", "all", ...ofTeam];
    const robin = (await fresh.json(assistant)).answer.id;
    const key = (await fresh.json(["key", "create", "--name", "gils", "--agent", third.agent_id])).answer.id;
    const asked: [string[], object][] = [
      [["assistant", "pause", robin], { id: robin, state: "paused" }],
      [["assistant", "resume", robin.toUpperCase()], { id: robin, state: "active" }],
      [["assistant", "revoke", robin, ...ofTeam], { id: robin, state: "revoked" }],
      [["key", "revoke", key], { id: key, revoked: true }],
      [["widget", "update", third.widget_id, "--theme", "dark"], { id: third.widget_id, settings: { theme: "dark" } }],
      [["widget", "identity", "--widget", third.widget_id], { id: third.widget_id }],
      [["team", "update", third.team_id, "--api-access", "off"], { id: third.team_id, api_access: false }],
    ];
    for (const [args, answer] of asked)
      expect(await fresh.json(args), args.join(" ")).toMatchObject({ code: 0, answer });
    const elsewhere = ["key", "revoke", key, "--team", made.team_id];
    for (const args of [elsewhere, ["key", "revoke", third.widget_id], ["key", "revoke", "nonsense"]]) {
      expect(await fresh.json(args), args.join(" ")).toEqual({ code: 1, answer: { error: "API key not found." } });
    }
  });
});

it("what is not understood ends with code 2 and says what it is about", async () => {
  const cases: [string[], string][] = [
    [["serv"], 'Unknown command "serv". Available commands: serve, setup, migrate, key create'],
    [[], "No command given."],
    [["key", "create", "--nam", "x"], "Unknown option --nam"],
    [["key", "create", "--name"], "--name needs a value"],
    [["key", "create", "--name", "--team"], "--name needs a value"],
    [["key", "create", "--name", ""], "--name is empty"],
    [["key", "create"], "--name is missing"],
    [["widget", "create", "--name", "a", "--name", "b"], "--name is given more than once"],
    [["migrate", "now"], 'Unexpected argument "now"'],
    [["team", "update", "--api-access", "on"], "ID is missing"],
    [["team", "update", "x", "--api-access", "maybe"], "must be on or off"],
    [["key", "create", "--name", "x", "--scopes", "all"], 'unknown scope "all"'],
    [["setup", "--team", "Acme", ...ada.with(5, "short")], "--password: Please choose"],
    [["setup", "--team", "Acme", ...ada.with(5, "password1")], "--password: This password is too easy to guess."],
    [
      ["setup", "--team", "Acme Works", ...ada.with(5, "acme-works")],
      "--password: Please choose a password that is not",
    ],
    [["setup", "--team", "Acme", ...ada.with(3, "ada")], "--email: "],
  ];
  for (const [args, told] of cases) {
    const { code, stdout, stderr } = await old.call(args);
    expect([code, stdout], args.join(" ")).toEqual([2, ""]);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain("    at ");
  }
  expect(await old.json(["nothing"])).toMatchObject({ code: 2, answer: { error: expect.any(String) } });
});

it("help lists every command, and the options of each", async () => {
  const { code, stdout } = await old.call(["--help"]);
  expect(code).toBe(0);
  for (const name of ["serve", "setup", "migrate", "key create", "agent create", "widget create", "team update"]) {
    expect(stdout).toContain(`  ${name} `);
    expect((await old.call([...name.split(" "), "--help"])).stdout).toContain(`Usage: frontdesk ${name}`);
  }
});

it("settings and data that do not fit are reported without a stack trace", async () => {
  const settings = await old.call(["migrate"], { PORT: "x", LOG_LEVEL: "loud" });
  expect(settings).toMatchObject({ code: 1, stdout: "" });
  expect(settings.stderr).toMatch(/PORT is "x".*\n.*LOG_LEVEL is "loud"/);

  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as { port: number };
  await once(closed.close(), "close");
  const url = `postgres://ada:geheim@127.0.0.1:${port}/x`;
  const unreachable = await old.call(["widget", "create", "--name", "x"], { DATABASE_URL: url });
  expect(unreachable.code).toBe(1);
  expect(unreachable.stderr).toContain("PostgreSQL cannot be reached");
  expect(unreachable.stderr).not.toMatch(/geheim|\n {4}at /);

  const noFolder = await old.call(["migrate"], { DATA_DIR: join(FRONTDESK, "data"), DATABASE_URL: "" });
  expect(noFolder.code).toBe(1);
  expect(noFolder.stderr).toMatch(/Cannot open DATA_DIR \(/);
});

it("migrate applies what is missing; a command on older or newer data says what to do", async () => {
  expect((await old.json(["migrate"])).answer.applied[0]).toBe(1);
  expect(await old.json(["migrate"])).toEqual({ code: 0, answer: { applied: [] } });
  expect((await old.json(["widget", "create", "--name", "x"])).answer.error).toContain("frontdesk setup");

  await old.storage.write(null, (db) => db.run(renumber, { number: 9_999 }));
  const { code, answer } = await old.json(["widget", "create", "--name", "x"]);
  expect([code, answer.error]).toEqual([1, expect.stringContaining("newer Frontdesk")]);
  await old.storage.write(null, (db) => db.run(forget, {}));
  expect((await old.json(["widget", "create", "--name", "x"])).answer.error).toContain("npx frontdesk migrate");
});

const renumber = statement<{ number: number }>((db, param) =>
  db
    .updateTable("schema_migrations")
    .set({ number: param("number") })
    .where("number", "=", 1),
);
const forget = statement<Record<never, never>>((db) => db.deleteFrom("schema_migrations"));

/** Starts the server; answers its first line, and a way to end it. */
async function serve(args: string[] = [], env: Record<string, string> = {}) {
  const server = running.start(["serve", ...args], env);
  onTestFinished(() => void server.kill("SIGKILL"));
  const exit = once(server, "exit");
  const lines: string[] = [];
  const reader = createInterface(server.stdout).on("line", (line) => lines.push(line));
  await Promise.race([once(reader, "line"), exit.then(async () => expect.unreachable(await text(server.stderr)))]);
  return {
    lines,
    kill: (signal: NodeJS.Signals) => server.kill(signal),
    async stop(signal: NodeJS.Signals) {
      server.kill(signal);
      return (await exit)[0] as number | null;
    },
  };
}

/** What the page of a setup link asks for first. */
async function setupState(link: string): Promise<string> {
  const { origin, hash } = new URL(link);
  const answer = await fetch(`${origin}/app/api/setup/state`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  return ((await answer.json()) as { state: string }).state;
}

describe(`a server on fresh data (${engine})`, () => {
  it("prints one line of JSON with a one-time set-up address, which a second one on its port leaves alone; a signal ends it with code 0", async () => {
    const { lines, stop } = await serve(["--json"]);
    expect(lines).toHaveLength(1);
    const { url, setup_url, ...rest } = JSON.parse(lines[0] ?? "");
    expect(rest).toEqual({});
    expect(setup_url).toMatch(new RegExp(`^${url}/app/setup#[\\w-]{43}$`));
    expect((await fetch(setup_url)).status).toBe(200);
    expect([await setupState(setup_url), await setupState(`${url}/app/setup#x`)]).toEqual(["open", "refused"]);

    // A port that is taken is reported without a stack trace, and the running server keeps its set-up address.
    const second = await running.run(["serve", "--json"], { env: { PORT: new URL(url).port } });
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout).error).toMatch(/^127\.0\.0\.1:\d+ is already in use/);
    expect(await setupState(setup_url)).toBe("open");
    expect(await stop("SIGHUP")).toBe(0);
  });

  it("a signal lets the requests that have begun come to their end, a second one ends the server at once", async () => {
    const { lines, stop, kill } = await serve(["--json"]);
    const { url } = JSON.parse(lines[0] ?? "");
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    onTestFinished(() => void slow.destroy());
    await once(slow, "connect");
    slow.write(`POST /app/api/setup HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n`);
    // The server has begun with the request.
    expect(String((await once(slow, "data"))[0])).toContain("100 Continue");
    kill("SIGTERM");
    await expect
      .poll(() =>
        fetch(url).then(
          () => "open",
          () => "closed",
        ),
      )
      .toBe("closed");
    expect(await stop("SIGINT")).toBe(1);
  });

  it("each start makes a new set-up address under PUBLIC_URL, until there is a team; setup works beside it", async () => {
    const first = await serve([], { PUBLIC_URL: "https://chat.acme.test/" });
    expect(first.lines[0]).toMatch(/^Frontdesk is listening on http:\/\/127\.0\.0\.1:\d+$/);
    await expect.poll(() => first.lines[1]).toMatch(/ https:\/\/chat\.acme\.test\/app\/setup#[\w-]{43}$/);
    const origin = first.lines[0]?.split(" ").at(-1);
    const link = `${origin}/app/setup#${first.lines[1]?.split("#")[1]}`;
    expect(await setupState(link)).toBe("open");

    expect((await running.call(["setup", "--team", "Acme", ...ada])).code).toBe(0);
    expect(await setupState(link)).toBe("done");
    expect(await first.stop("SIGINT")).toBe(0);

    const second = await serve(["--json"]);
    expect(JSON.parse(second.lines[0] ?? "")).toEqual({ url: expect.any(String) });
    expect(await second.stop("SIGTERM")).toBe(0);
  });
});
