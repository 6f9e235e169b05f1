/** A real Postfix for tests, which hands the mails of a domain over by LMTP: its own configuration and queue in a temporary folder, ended with this process. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostfix } from "../../../scripts/system-programs.mjs";
import { freePort } from "./free-port.ts";

export interface Postfix {
  /** Takes mails of any sender by SMTP, without TLS. */
  port: number;
  log(): string;
  stop(): Promise<void>;
}

/** Ends Postfix when its standard input closes, which happens even when this process is killed. */
const CLEANUP_SCRIPT = `
"$@" start-fg </dev/null &
cat >/dev/null
"$@" stop
wait
`;

/** It gives up its privileges itself, so that it has to be started by root. */
export const hasPostfix = findPostfix() !== undefined && process.getuid?.() === 0;

/**
 * @param options.domain the domain whose mails are handed over; mails to others are thrown away
 * @param options.lmtpPort where they are handed over, on 127.0.0.1
 * @throws when it does not start
 */
export async function startPostfix({ domain, lmtpPort }: { domain: string; lmtpPort: number }): Promise<Postfix> {
  const program = findPostfix();
  if (!program) throw new Error("Postfix is not installed (postfix). `npm run test:deep` says how to get it.");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "postfix-"));
  chmodSync(folder, 0o755);
  for (const name of ["config", "queue", "data"]) mkdirSync(join(folder, name));
  spawnSync("chown", ["postfix", join(folder, "data")]);
  const config = join(folder, "config");
  const logFile = join(folder, "log");
  writeFileSync(join(config, "main.cf"), mainConfig({ folder, logFile, domain, lmtpPort }));
  writeFileSync(join(config, "master.cf"), masterConfig(port));
  const cleanup = spawn("sh", ["-c", CLEANUP_SCRIPT, "sh", program, "-c", config], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  cleanup.stderr.on("data", (text) => {
    said += text;
  });
  const log = () => {
    try {
      return readFileSync(logFile, "utf8");
    } catch {
      return "";
    }
  };
  while (!(await answers(port))) {
    if (cleanup.exitCode !== null) throw new Error(`Postfix did not start: ${said}${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    log,
    async stop() {
      const end = once(cleanup, "exit");
      cleanup.stdin.end();
      await end;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What fails is tried again after a second, where an operator waits for minutes. */
function mainConfig(of: { folder: string; logFile: string; domain: string; lmtpPort: number }): string {
  return `compatibility_level = 3.6
queue_directory = ${of.folder}/queue
data_directory = ${of.folder}/data
maillog_file = ${of.logFile}
maillog_file_prefixes = ${of.folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.${of.domain}
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
relay_domains = ${of.domain}
relay_transport = lmtp:inet:127.0.0.1:${of.lmtpPort}
default_transport = discard
smtpd_recipient_restrictions = permit_mynetworks, reject
message_size_limit = 0
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
transport_retry_time = 1s
`;
}

const masterConfig = (port: number): string => `127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise<boolean>((resolve) => {
    socket.once("data", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  }).finally(() => socket.destroy());
}
