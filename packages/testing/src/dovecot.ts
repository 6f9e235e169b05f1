/** A real Dovecot for tests: its own configuration in a temporary folder, on its own port of 127.0.0.1, ended with this process. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findDovecot } from "../../../scripts/system-programs.mjs";
import { freePort } from "./free-port.ts";

export interface Dovecot {
  readonly host: "127.0.0.1";
  /** IMAP without TLS. */
  readonly port: number;
  /** The password of every user; a user exists once mail was delivered or it signs in. */
  readonly password: string;
  /** Delivers a mail into INBOX, or into another folder (`Junk`), after those before it. */
  deliver(user: string, raw: string | Uint8Array, folder?: string): void;
  doveadm(...args: string[]): Promise<string>;
  /** Ends it at once. May be called again. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same mail, after `kill`. */
  restart(): Promise<void>;
  /** Suspends all its processes: connections stay, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its mail. */
  stop(): Promise<void>;
}

/** Ends Dovecot when its standard input closes, which happens even when this process is killed. */
const CLEANUP_SCRIPT = `
"$@" </dev/null &
cat >/dev/null
kill -TERM $!
wait
`;
const PASSWORD = "correct-horse";

/**
 * @param options.introspectionUrl where it asks about the tokens of XOAUTH2; without it takes passwords alone
 * @param options.capabilities all that it says it can do, instead of what it can
 * @throws when Dovecot is not installed or does not start
 */
export async function startDovecot({
  introspectionUrl,
  capabilities,
}: {
  introspectionUrl?: string;
  capabilities?: string;
} = {}): Promise<Dovecot> {
  const found = findDovecot();
  if (!found) throw new Error("Dovecot is not installed (dovecot-imapd). `npm test` says how to get it.");
  const program = found;
  const port = await freePort();
  // Short: sockets below it have at most 108 characters.
  const folder = mkdtempSync(join(tmpdir(), "dc-"));
  // Mail may not be root's. 65534: nobody, everywhere.
  const { username, uid, gid } = userInfo();
  const owner = uid === 0 ? { name: "nobody", uid: 65_534, gid: 65_534 } : { name: username, uid, gid };
  mkdirSync(join(folder, "home"));
  chmodSync(folder, 0o755);
  chownSync(join(folder, "home"), owner.uid, owner.gid);
  const config = join(folder, "dovecot.conf");
  const more = [introspectionUrl && tokensIn(folder), capabilities && `imap_capability = ${capabilities}\n`];
  writeFileSync(config, [configOf({ folder, port, owner }), ...more].filter(Boolean).join(""));
  if (introspectionUrl) writeFileSync(join(folder, "oauth2.conf"), oauthConfigOf(introspectionUrl));
  let delivered = 0;
  let running: { cleanup: ChildProcess } | undefined = await start();

  async function start() {
    const cleanup = spawn("sh", ["-c", CLEANUP_SCRIPT, "sh", program, "-F", "-c", config], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    cleanup.unref();
    (cleanup.stdin as Socket).unref();
    // However long that takes on a busy machine.
    while (cleanup.exitCode === null) {
      if (await answers(port)) return { cleanup };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Dovecot did not start; its log is ${join(folder, "log")}.`);
  }

  async function kill() {
    if (!running) return;
    const { cleanup } = running;
    running = undefined;
    const end = once(cleanup, "exit");
    cleanup.ref();
    cleanup.stdin?.end();
    await end;
  }

  /** Its processes are all in the session of the clean-up. */
  const signal = (name: NodeJS.Signals) => {
    const pid = running?.cleanup.pid;
    if (pid) process.kill(-pid, name);
  };

  return {
    host: "127.0.0.1",
    port,
    password: PASSWORD,
    deliver(user, raw, into) {
      const maildir = join(folder, "home", user, "Maildir");
      const place = into === undefined ? maildir : join(maildir, `.${into}`);
      for (const made of [maildir, ...["", "tmp", "cur", "new"].map((part) => join(place, part))]) {
        mkdirSync(made, { recursive: true });
        chownSync(made, owner.uid, owner.gid);
      }
      chownSync(join(folder, "home", user), owner.uid, owner.gid);
      delivered += 1;
      // UIDs are given in the order of the names.
      const file = join(place, "new", `${1_000_000_000 + delivered}.M${delivered}P1.test`);
      writeFileSync(file, raw, { mode: 0o600 });
      chownSync(file, owner.uid, owner.gid);
    },
    async doveadm(...args) {
      const { stdout } = await promisify(execFile)("doveadm", ["-c", config, ...args]);
      return stdout;
    },
    kill,
    async restart() {
      if (running) throw new Error("Dovecot is still running: kill it first.");
      running = await start();
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf({
  folder,
  port,
  owner,
}: {
  folder: string;
  port: number;
  owner: { name: string; uid: number; gid: number };
}) {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = ${owner.name}
default_internal_group = ${groupOf(owner.name)}
default_login_user = ${owner.name}
first_valid_uid = 1
mail_location = maildir:~/Maildir
maildir_stat_dirs = yes
mailbox_idle_check_interval = 1 secs
mail_max_userip_connections = 1000
service anvil {
  chroot =
  # No wait of up to 15 s after wrong passwords of the same address: all of a test come from one.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/home/%u
}
namespace inbox {
  inbox = yes
  mailbox Junk {
    special_use = \\Junk
    auto = create
  }
  mailbox Archive {
    special_use = \\Archive
    auto = create
  }
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
`;
}

/** Tokens besides passwords. */
const tokensIn = (folder: string) => `
auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
`;

const oauthConfigOf = (introspectionUrl: string) => `
introspection_mode = post
introspection_url = ${introspectionUrl}
username_attribute = username
active_attribute = active
active_value = true
`;

const groupOf = (user: string): string => execFileSync("id", ["-gn", user], { encoding: "utf8" }).trim();

function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise<boolean>((resolve) => {
    socket.once("data", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  }).finally(() => socket.destroy());
}
