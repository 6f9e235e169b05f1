/** What is shipped for production: the nginx configuration in front of a real server, and files that name settings. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { reasonText } from "@frontdesk/core/domain/reasons";
import { type Installation, newInstallation } from "@frontdesk/testing/installation";
import { ask, newSite, openTls, type Site } from "@frontdesk/testing/nginx";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSettings } from "../packages/server/src/config.ts";
import { root } from "./house/source-files.ts";

const HSTS = "max-age=63072000";
/** An unused address (RFC 5737). */
const OUTSIDE = "203.0.113.9";

describe("behind the shipped nginx", () => {
  test("the API works over https, and its links lead back there", async () => {
    const { site, made, headers } = await frontdeskBehindNginx();
    const sent = await ask(site, "/api/v1/conversations", {
      ...{ method: "POST", headers: { ...headers, "content-type": "application/json" } },
      body: JSON.stringify({ widget_id: made.widget_id, name: "Vera", content: "Do you ship to Portugal?" }),
    });
    expect(sent).toMatchObject({ status: 200, headers: { "strict-transport-security": HSTS, server: "nginx" } });

    const list = await ask(site, "/api/v1/conversations/all", { headers });
    expect(JSON.parse(list.body).links.self).toMatch(`${site.origin}/api/v1/conversations/all?`);
    expect(list.headers).toMatchObject({ "x-request-id": expect.any(String), "x-ratelimit-remaining": "58" });
    const invited = await ask(site, "/api/v1/agents/invite", {
      ...{ method: "POST", headers: { ...headers, "content-type": "application/json" } },
      body: '{"agents":["grace@acme.test"]}',
    });
    const link = new RegExp(`${site.origin}(/app/join/\\S+)`).exec(JSON.parse(invited.body).message)?.[1];
    expect(await ask(site, String(link))).toMatchObject({ status: 200 });

    // The links are secrets, and must not be in the log.
    await ask(site, "/setup?token=a-secret-token");
    await expect.poll(() => site.log()).toContain('"GET /setup HTTP/1.1" 302');
    expect(site.log()).toContain('"GET /app/join/[hidden] HTTP/1.1" 200');
    expect(site.log()).not.toContain(String(link).slice("/app/join/".length));
    for (const path of ["/join/", "/app/api/join/", "/files/", "/exports/", "/my-data/link/"]) {
      await ask(site, `${path}a-secret-token/map.png`);
      await expect.poll(() => site.log()).toContain(`"GET ${path}[hidden] HTTP/1.1"`);
    }
    expect(site.log()).not.toContain("a-secret-token");
  });

  test("the API works over HTTP/2", async () => {
    const { site, headers } = await frontdeskBehindNginx();
    const session = connectHttp2(`https://127.0.0.1:${site.httpsPort}`, {
      ca: site.certificate,
      servername: "localhost",
    });
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":path": "/api/v1/widgets", ":authority": "localhost", ...headers });
    const [answer] = await once(stream, "response");
    expect(answer[":status"]).toBe(200);
    expect(JSON.parse(await text(stream)).data).toHaveLength(1);
  });

  test("a request over http is sent to https, with its method and its body to be sent there", async () => {
    const { site } = await recorderBehindNginx();
    const answer = await fetch(`http://127.0.0.1:${site.httpPort}/api/v1/contacts?search=a%20b`, {
      method: "POST",
      redirect: "manual",
    });
    expect(answer.status).toBe(308);
    expect(answer.headers.get("location")).toBe("https://localhost/api/v1/contacts?search=a%20b");
  });

  test("the metrics are for the server's own network; from outside there is nothing at their address", async () => {
    const { site, requests } = await recorderBehindNginx();
    const nothing = { status: 404, body: JSON.stringify({ message: reasonText["http.no-such-address"] }) };
    for (const path of ["/metrics", "/metrics?a=b", "//metrics", "/%6detrics", "/docs/../metrics", "/./metrics"]) {
      expect(await ask(site, path), path).toMatchObject(nothing);
    }
    expect(requests).toEqual([]);

    // The proxy's headers about the client are trusted; where its configuration forgot to protect the metrics, the server does
    // it.
    const frontdesk = await newInstallation("sqlite", { TRUST_PROXY: "loopback" });
    await frontdesk.start();
    expect((await fetch(`${frontdesk.origin}/metrics`)).status).toBe(200);
    const outside = await fetch(`${frontdesk.origin}/metrics`, { headers: { "x-forwarded-for": OUTSIDE } });
    expect({ status: outside.status, body: await outside.text() }).toEqual(nothing);
  });

  test("a body above the limit is refused in the words of the API, and one at the limit is not", async () => {
    const { site, headers } = await frontdeskBehindNginx();
    const tooLarge = { status: 413, body: JSON.stringify({ message: reasonText["http.body-too-large"] }) };
    const sized = (bytes: number) =>
      ask(site, "/api/v1/conversations", {
        ...{ method: "POST", headers: { ...headers, "content-type": "application/json" } },
        body: Buffer.alloc(bytes, " "),
      });
    for (const bytes of [1_048_577, 3_000_000]) {
      const answer = await sized(bytes);
      expect(answer, `${bytes} bytes`).toMatchObject(tooLarge);
      expect(answer.headers["strict-transport-security"]).toBe(HSTS);
    }
    // Spaces are not JSON, which the server reports after reading them.
    expect(await sized(1_048_576)).toMatchObject({ status: 400 });
  });

  test("a file may be larger than other bodies, and one above its limit is refused in the words of the API", async () => {
    const { site, headers } = await frontdeskBehindNginx();
    const sized = (bytes: number) =>
      ask(site, "/api/v1/files?name=a.bin", { method: "POST", headers, body: Buffer.alloc(bytes, " ") });
    expect(await sized(25 * 1_048_576)).toMatchObject({ status: 201 });
    const answer = await sized(25 * 1_048_576 + 1);
    expect(answer).toMatchObject({
      status: 413,
      body: '{"message":"The file is too large. Files can be up to 25 MB."}',
    });
    expect(answer.headers["strict-transport-security"]).toBe(HSTS);
  });

  test("a server that is away is reported in the form of the API, with a time to try again", async () => {
    const { site, frontdesk } = await frontdeskBehindNginx();
    await frontdesk.stop();
    const answer = await ask(site, "/api/v1/widgets");
    expect(answer).toMatchObject({
      status: 502,
      headers: { "retry-after": "2", "strict-transport-security": HSTS },
      body: '{"message":"The service is unreachable. Please try again in a moment."}',
    });
  });

  test("the server gets the client's address, and nothing that the client claims about itself", async () => {
    const { site, requests } = await recorderBehindNginx();
    await ask(site, "/", {
      from: "127.0.0.2",
      headers: {
        ...{ "x-forwarded-for": OUTSIDE, "x-forwarded-proto": "http", "x-forwarded-host": "evil.example" },
        ...{ forwarded: `for=${OUTSIDE}`, "x-api-key": "fd_key_kept" },
      },
    });
    expect(requests[0]?.headers).toMatchObject({
      ...{ "x-forwarded-for": "127.0.0.2", "x-forwarded-proto": "https", "x-forwarded-host": "localhost" },
      ...{ host: "localhost", "x-api-key": "fd_key_kept" },
    });
    expect(requests[0]?.headers).not.toHaveProperty("forwarded");
  });

  const smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
  test.each([
    [
      "both lengths",
      `Content-Length: ${5 + smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ["two lengths", `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ["a signed length", `Content-Length: +${smuggled.length}\r\n\r\n${smuggled}`],
    ["a folded header", `X-Note: a\r\n b\r\nContent-Length: 0\r\n\r\n${smuggled}`],
    ["a folded coding", `Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a space before the colon", `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a coding that nobody knows", `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["two codings", `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a chunk without its size", `Transfer-Encoding: chunked\r\n\r\nZ\r\n\r\n${smuggled}`],
  ])("a request whose end can be read in two ways is refused, and nothing of it goes on: %s", async (_case, rest) => {
    const { site, requests } = await recorderBehindNginx();
    const socket = await openTls(site);
    socket.write(`POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\n${rest}`);
    // One refusal, then the connection is closed.
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|501) /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    await ask(site, "/afterwards");
    expect(requests.map(({ url }) => url)).toEqual(["/afterwards"]);
  });

  test("a request reaches the server when it is whole, however slowly it comes", async () => {
    const { site, requests } = await recorderBehindNginx();
    const socket = await openTls(site);
    socket.write("POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab");
    await ask(site, "/quick");
    expect(requests.map(({ url }) => url)).toEqual(["/quick"]);
    socket.write("cd");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(requests.map(({ url }) => url)).toEqual(["/quick", "/slow"]);
  });

  test("a stream that asks not to be buffered arrives word by word", async () => {
    let end = () => {};
    const { site } = await recorderBehindNginx((_request, answer) => {
      answer.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
      answer.write("data: first\n\n");
      end = () => answer.end();
    });
    const socket = await openTls(site);
    socket.setEncoding("utf8").write("GET /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let arrived = "";
    for await (const part of socket) {
      arrived += part;
      // The stream is still open: it is ended after its first frame has arrived.
      if (arrived.includes("data: first")) end();
    }
    expect(arrived).toContain("data: first");
  });

  test("a connection can become a WebSocket", async () => {
    const { site, server } = await recorderBehindNginx();
    server.on("upgrade", (request: IncomingMessage, socket) => {
      expect(request.headers.connection).toBe("upgrade");
      socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nhello`);
    });
    const socket = await openTls(site);
    socket.write("GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(answer).toMatch(/hello$/);
  });
});

describe("the settings", () => {
  const code = [...read("packages/server/src/config.ts").matchAll(/\bread\("([A-Z][A-Z0-9_]+)"/g)];
  const known = [...new Set(code.map(([, name = ""]) => name))];
  const rows = [
    ...read("docs/guide/settings.md").matchAll(/^\| `([A-Z0-9_]+)` \|(?: `([^`]+)`)?[^|]*\|(?: `([^`]+)`)? \|/gm),
  ].map(([, name = "", fallback, example]) => ({ name, fallback, example }));
  /** Settings that are wrong without each other, and one secret, of which the guide shows no example. */
  const together = [
    ["AI_BASE_URL", "AI_MODEL", "AI_API_KEY", "AI_EMBEDDING_MODEL"],
    ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_REGION", "S3_ENDPOINT", "S3_FORCE_PATH_STYLE"],
  ];

  test("are all in the guide, with the default and an example that are right", () => {
    expect(known.length).toBeGreaterThan(10);
    expect(rows.map(({ name }) => name).sort()).toEqual(known.toSorted());
    const ofGroups = together.flat();
    const defaults = rows.filter(({ name }) => !ofGroups.includes(name)).map(({ name, fallback }) => [name, fallback]);
    expect(readSettings(Object.fromEntries(defaults))).toEqual(readSettings({}));
    const examples = Object.fromEntries(rows.map(({ name, example }) => [name, example ?? "a-secret"]));
    const withExamples = (names: string[]) =>
      JSON.stringify(readSettings(Object.fromEntries(names.map((name) => [name, examples[name]]))));
    const orRefused = (names: string[]) => {
      try {
        return withExamples(names);
      } catch (error) {
        return String(error);
      }
    };
    const unset = withExamples([]);
    for (const { name } of rows) {
      const group = together.find((names) => names.includes(name)) ?? [name];
      const all = withExamples(group);
      expect(all, name).not.toBe(unset);
      expect(orRefused(group.filter((other) => other !== name)), `without ${name}`).not.toBe(all);
    }
  });

  test.each(["deploy/systemd/frontdesk.env", "deploy/docker/frontdesk.env"])("in %s are known, and right", (path) => {
    const lines = [...read(path).matchAll(/^#?([A-Z_]+)=(?:'(.*)'|(.*))$/gm)];
    expect(lines.length).toBeGreaterThan(5);
    const env = Object.fromEntries(lines.map(([, name, quoted, plain]) => [name, quoted ?? plain]));
    expect(Object.keys(env).filter((name) => !known.includes(name) && name !== "POSTGRES_PASSWORD")).toEqual([]);
    const { publicUrl } = readSettings(env);
    expect(publicUrl).toBe("https://chat.example.com");
  });

  test("of the containers are known, and right", () => {
    const files = ["compose.yaml", "deploy/docker/compose.postgres.yaml"].map(read);
    const lines = files.flatMap((file) => [...file.matchAll(/^ {6}([A-Z_]+): "?(.*?)"?$/gm)]);
    const env = Object.fromEntries(
      lines.map(([, name = "", value = ""]) => [name, value.replaceAll(/\$\{.*\}/g, "x")]),
    );
    const [image = ""] = /^ENV .*$/m.exec(read("Dockerfile")) ?? [];
    for (const [, name = "", value = ""] of image.matchAll(/([A-Z_]+)=(\S+)/g)) env[name] = value;
    const names = Object.keys(env).filter((name) => !name.startsWith("POSTGRES_") && name !== "PATH");
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(readSettings(env)).toMatchObject({
      ...{ host: "0.0.0.0", port: 8080, dataDir: "/data" },
      databaseUrl: "postgres://frontdesk:x@postgres:5432/frontdesk",
    });
  });
});

describe("the files for production", () => {
  test("the systemd unit and its command start what is there, with the same settings", () => {
    const home = "/usr/local/lib/frontdesk";
    const unit = read("deploy/systemd/frontdesk.service");
    const command = read("deploy/systemd/frontdesk");
    const [, start = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
    const [node = "", program = "", ...words] = start.split(" ");
    expect(words).toEqual(["serve"]);
    for (const path of [node, program]) {
      expect(existsSync(path.replace(home, root)), path).toBe(true);
      expect(command).toContain(path.replace(home, "$home"));
    }
    expect(command).toContain(`home=${home}\n`);
    const [, settings = ""] = /^EnvironmentFile=(.*)$/m.exec(unit) ?? [];
    expect(command).toContain(`--env-file=${settings} `);
  });

  test("the image has every package of the workspace", () => {
    const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
    for (const folder of workspaces) expect(read("Dockerfile")).toContain(` ${folder}/package.json ${folder}/\n`);
  });
});

/** A real Frontdesk with a team, behind nginx. */
async function frontdeskBehindNginx(): Promise<{
  site: Site;
  frontdesk: Installation;
  made: Record<string, unknown>;
  headers: Record<string, string>;
}> {
  const site = await newSite();
  const frontdesk = await newInstallation("sqlite", { PUBLIC_URL: site.origin, TRUST_PROXY: "loopback" });
  const made = await frontdesk.command(
    ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main"],
  );
  await frontdesk.start();
  await site.start(Number(new URL(frontdesk.origin).port));
  return { site, frontdesk, made, headers: { "x-api-key": String(made.api_key) } };
}

/** A server in Frontdesk's place that shows what nginx forwards, since Frontdesk reports it to no client. */
async function recorderBehindNginx(answer: RequestListener = (_request, response) => response.end("{}")) {
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request);
    await text(request);
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const site = await newSite();
  await site.start((server.address() as AddressInfo).port);
  return { site, requests, server };
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
