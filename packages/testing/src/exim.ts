/**
 * A real Exim for tests: it hands the mails of one domain over by LMTP, and those of another to a mail server of the test. What cannot be
 * delivered it returns to its sender. Its configuration and queue are in a temporary folder, and it ends with this process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findExim } from "../../../scripts/system-programs.mjs";
import { freePort } from "./free-port.ts";

export interface Exim {
  /** Takes mails of any sender by SMTP, without TLS. */
  port: number;
  log(): string;
  stop(): Promise<void>;
}

/** Ends Exim when its standard input closes, which happens even when this process is killed. */
const CLEANUP_SCRIPT = `
"$@" </dev/null &
cat >/dev/null
kill -TERM $!
wait
`;
const USER_ID = 901;

/** It changes to users of its own, so that it has to be started by root. */
export const hasExim = findExim() !== undefined && process.getuid?.() === 0;

/**
 * @param options.domain the domain whose mails are handed over by LMTP to `lmtpPort` of 127.0.0.1
 * @param options.customers the domain whose mails go to `smtpPort`
 * @throws when it does not start
 */
export async function startExim(options: {
  domain: string;
  lmtpPort: number;
  customers: string;
  smtpPort: number;
}): Promise<Exim> {
  const program = findExim();
  if (!program) throw new Error("Exim is not unpacked. `npm run test:deep` does it on Debian.");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "exim-"));
  chmodSync(folder, 0o777);
  // Only of root's files it keeps its rights.
  const config = join(folder, "exim.conf");
  const executable = join(program, "usr/sbin/exim4");
  // As it is unpacked it gets the rights of root back by itself, and then takes no libraries from elsewhere.
  chmodSync(executable, 0o755);
  writeFileSync(config, configOf({ ...options, folder, port, executable }), { mode: 0o644 });
  const machine = readdirSync(join(program, "usr/lib")).find((name) => name.endsWith("-linux-gnu")) ?? "";
  const libraries = join(program, "usr/lib", machine);
  const [users, groups] = ["passwd", "group"].map((name) => join(folder, name)) as [string, string];
  writeFileSync(users, `${readFileSync("/etc/passwd", "utf8")}Debian-exim:x:${USER_ID}:${USER_ID}::/:/bin/false\n`);
  writeFileSync(groups, `${readFileSync("/etc/group", "utf8")}Debian-exim:x:${USER_ID}:\n`);
  const env = {
    ...{ PATH: process.env.PATH, LD_LIBRARY_PATH: libraries, LD_PRELOAD: join(libraries, "libnss_wrapper.so") },
    ...{ NSS_WRAPPER_PASSWD: users, NSS_WRAPPER_GROUP: groups },
  };
  const args = [executable, "-C", config, "-bdf", "-q1s"];
  const cleanup = spawn("sh", ["-c", CLEANUP_SCRIPT, "sh", ...args], { env, stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  cleanup.stderr.on("data", (text) => {
    said += text;
  });
  const log = () => {
    try {
      return readFileSync(join(folder, "mainlog"), "utf8");
    } catch {
      return "";
    }
  };
  await answers(port, cleanup, () => `${said}${log()}`);
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

interface Configured {
  folder: string;
  executable: string;
  port: number;
  domain: string;
  lmtpPort: number;
  customers: string;
  smtpPort: number;
}

/** What fails is tried again after a second, where an operator waits for minutes; a warning is sent as soon. */
const configOf = ({ folder, executable, port, domain, lmtpPort, customers, smtpPort }: Configured): string => `
primary_hostname = mail.${domain}
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/exim.pid
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
tls_advertise_hosts =
keep_environment = LD_LIBRARY_PATH : LD_PRELOAD : NSS_WRAPPER_PASSWD : NSS_WRAPPER_GROUP
exim_path = ${executable}
deliver_drop_privilege = true
host_lookup =
acl_smtp_rcpt = accept
acl_smtp_data = accept
qualify_domain = ${domain}
delay_warning = 1s
smtp_accept_max = 20

begin routers
ours:
  driver = manualroute
  domains = ${domain}
  route_list = * 127.0.0.1 byname
  self = send
  transport = to_lmtp
customers:
  driver = manualroute
  domains = ${customers}
  route_list = * 127.0.0.1 byname
  self = send
  transport = to_smtp

begin transports
to_lmtp:
  driver = smtp
  protocol = lmtp
  port = ${lmtpPort}
  allow_localhost
to_smtp:
  driver = smtp
  port = ${smtpPort}
  allow_localhost

begin retry
* * F,1h,1s
`;

/** Resolves when it greets; however long that takes on a busy machine. */
async function answers(port: number, program: ChildProcess, problem: () => string): Promise<void> {
  while (program.exitCode === null) {
    const socket = connect(port, "127.0.0.1");
    const greets = await new Promise<boolean>((resolve) => {
      socket.once("data", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
    });
    socket.destroy();
    if (greets) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Exim did not start: ${problem()}`);
}
