/** nginx with the shipped configuration, as a separate process in front of a server, with its own certificate. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { expect, onTestFinished } from "vitest";
import { findNginx } from "../../../scripts/system-programs.mjs";
import { root } from "../../../stories/house/source-files.ts";
import { freePort } from "./free-port.ts";

/** Paths in the shipped file that differ on this machine. */
const SHIPPED = {
  name: "chat.example.com",
  upstream: "server 127.0.0.1:8080;",
  http: "listen 80;",
  https: "listen 443 ssl http2;",
  certificate: "/etc/letsencrypt/live/chat.example.com/fullchain.pem",
  key: "/etc/letsencrypt/live/chat.example.com/privkey.pem",
  log: "/var/log/nginx/frontdesk.log",
};

export interface Site {
  /** `https://localhost:PORT`: the site's public address. */
  origin: string;
  httpPort: number;
  httpsPort: number;
  /** The site's certificate, PEM. */
  certificate: string;
  /** Starts nginx in front of a server on this port of 127.0.0.1. */
  start(serverPort: number): Promise<void>;
  /** nginx's access log. */
  log(): string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A site behind nginx; removed when the test is finished. */
export async function newSite(): Promise<Site> {
  const program = findNginx();
  if (!program) throw new Error("nginx is not installed. `npm test` says how to get it.");
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-nginx-"));
  // nginx's workers run as another user when it is started by root.
  chmodSync(folder, 0o755);
  const [key, certificate, log] = ["key.pem", "certificate.pem", "access.log"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  makeCertificate(key, certificate);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  let nginx: ChildProcess | undefined;
  onTestFinished(async () => {
    if (nginx && nginx.exitCode === null) {
      const exited = once(nginx, "exit");
      nginx.kill("SIGTERM");
      await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    origin: `https://localhost:${httpsPort}`,
    httpPort,
    httpsPort,
    certificate: readFileSync(certificate, "utf8"),
    async start(serverPort) {
      const site = {
        ...{ name: "localhost", upstream: `server 127.0.0.1:${serverPort};`, http: `listen 127.0.0.1:${httpPort};` },
        ...{ https: `listen 127.0.0.1:${httpsPort} ssl http2;`, certificate, key, log },
      };
      writeFileSync(join(folder, "frontdesk.conf"), shippedFor(site));
      writeFileSync(join(folder, "nginx.conf"), surroundings(folder));
      nginx = spawn(program, ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      const complaints = nginx.stderr ? text(nginx.stderr) : Promise.resolve("");
      await Promise.race([
        listens(httpsPort),
        complaints.then((said) => Promise.reject(new Error(`nginx did not start: ${said}`))),
      ]);
    },
    log: () => (existsSync(log) ? readFileSync(log, "utf8") : ""),
  };
}

/** Requests over https, as a client outside does. `from` is its loopback address. */
export async function ask(
  { httpsPort, certificate }: Site,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer; from?: string } = {},
): Promise<Answer> {
  const { method = "GET", headers = {}, body, from } = options;
  const asked = request({
    ...{ host: "127.0.0.1", port: httpsPort, servername: "localhost", ca: certificate, agent: false, method, path },
    headers: { host: `localhost:${httpsPort}`, ...headers },
    ...(from && { localAddress: from }),
  });
  asked.end(body);
  // A server that refuses a body early closes the connection after its answer.
  asked.on("error", () => {});
  const [answer] = await once(asked, "response");
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** A connection on which a test writes what no client would. */
export async function openTls({ httpsPort, certificate }: Site): Promise<TLSSocket> {
  const socket = connectTls({ host: "127.0.0.1", port: httpsPort, servername: "localhost", ca: certificate });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

/** The shipped file with only names, ports and paths changed. */
function shippedFor(site: typeof SHIPPED): string {
  let conf = readFileSync(join(root, "deploy/nginx/frontdesk.conf"), "utf8").replaceAll(/^\s*listen \[::\].*\n/gm, "");
  const longestFirst = Object.entries(SHIPPED).sort(([, a], [, b]) => b.length - a.length);
  for (const [what, shipped] of longestFirst) {
    expect(conf, what).toContain(shipped);
    conf = conf.replaceAll(shipped, site[what as keyof typeof SHIPPED]);
  }
  return conf;
}

/** The part of a distribution's nginx.conf around the file. */
function surroundings(folder: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  mkdirSync(join(folder, "passing"));
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events {}
http {
${kinds.map((kind) => `  ${kind}_temp_path ${folder}/passing/${kind};`).join("\n")}
  include ${folder}/frontdesk.conf;
}
`;
}

function makeCertificate(key: string, certificate: string): void {
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"],
      ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
    ],
    { stdio: "ignore" },
  );
}

async function listens(port: number): Promise<void> {
  await expect
    .poll(
      () =>
        new Promise<boolean>((answer) => {
          const socket = connect(port, "127.0.0.1");
          socket.once("connect", () => answer(true)).once("error", () => answer(false));
          socket.once("connect", () => socket.destroy());
        }),
      { interval: 20 },
    )
    .toBe(true);
}
