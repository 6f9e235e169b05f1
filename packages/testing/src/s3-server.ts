/** An S3-compatible server for tests: it checks signatures, stores its objects in its own folder, and ends with its parent. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";

const BUCKET = "acme-files";
/** The only key pair that the server accepts. */
const KEY = "S3RVER";

export interface S3Server {
  /** The settings for its bucket. */
  env: Record<string, string>;
  /** The keys of the bucket, as `<team>/<id>`. */
  objects(): string[];
  /** Ends it; its objects stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Suspends it: connections stay, the kernel accepts new ones, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it, and deletes its objects. */
  remove(): Promise<void>;
}

/** @param versioning what it says of its bucket; left out: it does not know of versions */
export async function startS3(versioning?: "Enabled" | "Suspended" | "off"): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-s3-"));
  const port = await freePort();
  const start = () => startProcess([folder, BUCKET, String(port), versioning ?? ""]);
  let server: ChildProcess | undefined = await start();
  const kill = async () => {
    const ended = server && once(server, "exit");
    server?.kill("SIGKILL");
    server = undefined;
    await ended;
  };
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
    },
    objects: () =>
      readdirSync(join(folder, BUCKET), { recursive: true, encoding: "utf8" }).flatMap(
        (name) => /^(.*)\._S3rver_object$/.exec(name)?.[1] ?? [],
      ),
    kill,
    async restart() {
      server ??= await start();
    },
    pause: () => void server?.kill("SIGSTOP"),
    resume: () => void server?.kill("SIGCONT"),
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startProcess(options: string[]): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("s3-process.mjs", import.meta.url));
  const server = spawn(process.execPath, [program, ...options], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(server, "exit").then(() => {
    throw new Error("The S3 server did not start.");
  });
  await Promise.race([once(server.stdout, "data"), ended]);
  ended.catch(() => {});
  server.unref();
  for (const stream of [server.stdin, server.stdout]) (stream as unknown as Socket).unref();
  return server;
}
