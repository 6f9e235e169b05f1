/** A real dnsmasq for tests: its own records, on its own port of 127.0.0.1, ended with this process. */
import { spawn } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDnsmasq } from "../../../scripts/system-programs.mjs";
import { freePort } from "./free-port.ts";

export interface Dnsmasq {
  /** For `Resolver.setServers`. */
  server: string;
  stop(): Promise<void>;
}

export interface DomainZone {
  mx?: readonly string[];
  /** By their names. */
  txt?: Readonly<Record<string, readonly string[]>>;
}

/** Until it has started. */
const TRY_MS = 100;

/** Ends dnsmasq when its standard input closes, which happens even when this process is killed. */
const CLEANUP_SCRIPT = `
"$@" </dev/null &
cat >/dev/null
kill -TERM $!
wait
`;

/**
 * Knows these domains, and says of all others that they don't exist.
 *
 * @throws when dnsmasq is not installed or does not start
 */
export async function startDnsmasq(zones: Readonly<Record<string, DomainZone>>): Promise<Dnsmasq> {
  const program = findDnsmasq();
  if (!program) throw new Error("dnsmasq is not installed (dnsmasq-base). `npm test` says how to get it.");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "dnsmasq-"));
  const config = join(folder, "dnsmasq.conf");
  writeFileSync(config, configOf(zones, port));
  const cleanup = spawn("sh", ["-c", CLEANUP_SCRIPT, "sh", program, "-k", `--conf-file=${config}`], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  cleanup.stderr.on("data", (text) => {
    said += text;
  });
  const server = `127.0.0.1:${port}`;
  const [known = ""] = Object.keys(zones);
  while (!(await answers(server, known))) {
    if (said !== "" || cleanup.exitCode !== null) throw new Error(`dnsmasq did not start: ${said}`);
    // A port without a listener is refused at once.
    await new Promise((resolve) => setTimeout(resolve, TRY_MS));
  }
  return {
    server,
    async stop() {
      const end = once(cleanup, "exit");
      cleanup.stdin.end();
      await end;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(zones: Readonly<Record<string, DomainZone>>, port: number): string {
  const tops = new Set(Object.keys(zones).map((domain) => domain.split(".").at(-1)));
  return [
    ...[`port=${port}`, "listen-address=127.0.0.1", "bind-interfaces", "no-resolv", "no-hosts", "user=nobody"],
    ...[...tops].map((top) => `local=/${top}/`),
    ...Object.entries(zones).flatMap(([domain, { mx = [], txt = {} }]) => [
      ...mx.map((host, index) => `mx-host=${domain},${host},${10 * (index + 1)}`),
      ...Object.entries(txt).flatMap(([name, texts]) => texts.map((text) => `txt-record=${name},"${text}"`)),
      // A name of its own, so that the domain exists without the record that is asked for.
      `txt-record=${domain},"here"`,
    ]),
    "",
  ].join("\n");
}

async function answers(server: string, name: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: 1 });
  resolver.setServers([server]);
  return resolver.resolveTxt(name).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === "ENODATA",
  );
}
