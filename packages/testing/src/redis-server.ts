/** A real Redis for tests: on its own port, in memory only, ended with the process that started it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { findRedis } from "../../../scripts/system-programs.mjs";
import { freePort } from "./free-port.ts";

/** A running Redis of our own. */
export interface RedisServer {
  /** `redis://127.0.0.1:PORT`; without a password. */
  readonly url: string;
  /** Ends it like a power cut; its data is lost. May be called again. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty, after `kill`. */
  restart(): Promise<void>;
  /** Suspends it: connections stay, the kernel accepts new ones, and nothing is answered. */
  pause(): void;
  /** Resumes it. */
  resume(): void;
}

/** Ends Redis when its standard input closes, which happens even when this process is killed. */
const CLEANUP_SCRIPT = `
"$@" </dev/null &
echo "pid $!"
cat >/dev/null
kill -KILL $!
wait
`;

/**
 * Starts a Redis that listens on 127.0.0.1 only.
 *
 * @throws when Redis is not installed or does not start
 */
export async function startRedis(): Promise<RedisServer> {
  const program = findRedis();
  if (!program) throw new Error("Redis is not installed (redis-server). `npm test` says how to get it.");
  const port = await freePort();
  const start = () => startServer([program, "--port", String(port), "--bind", "127.0.0.1", ...IN_MEMORY]);
  let server = await start();
  let running = true;
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (!running) return;
      running = false;
      const end = once(server.cleanup, "exit");
      server.cleanup.ref();
      server.cleanup.stdin?.end();
      await end;
    },
    async restart() {
      if (running) throw new Error("Redis is still running: kill it first.");
      server = await start();
      running = true;
    },
    pause: () => void process.kill(server.pid, "SIGSTOP"),
    resume: () => void process.kill(server.pid, "SIGCONT"),
  };
}

const IN_MEMORY = ["--save", "", "--appendonly", "no", "--dir", tmpdir()];

async function startServer(command: string[]): Promise<{ cleanup: ChildProcess; pid: number }> {
  // In its own session, or the Ctrl-C that ends this process would end it before the clean-up.
  const cleanup = spawn("sh", ["-c", CLEANUP_SCRIPT, "sh", ...command], {
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  let said = "";
  let pid = 0;
  for await (const line of createInterface(cleanup.stdout)) {
    said += `${line}\n`;
    pid ||= Number(/^pid (\d+)$/.exec(line)?.[1] ?? 0);
    if (line.includes("Ready to accept connections")) {
      cleanup.unref();
      (cleanup.stdin as Socket).unref();
      // Keep reading, or Redis blocks on its output.
      (cleanup.stdout as Socket).resume().unref();
      return { cleanup, pid };
    }
    if (/exiting|# Failed|# Warning: Could not/i.test(line)) break;
  }
  cleanup.stdin.end();
  throw new Error(`Redis did not start:\n${said}`);
}
