import type { Settings } from "../config.ts";
import type { Check } from "./check.ts";

const TIMEOUT_MS = 3_000;

/** PUBLIC_URL: https, and it leads to us. */
export async function checkAddress({ publicUrl, host, port }: Settings): Promise<Check> {
  const name = "public address";
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "http:" && !isLoopback(hostname)) {
    const says = `${publicUrl} is not https. Messages can be read in transit.`;
    const make = "Set up a reverse proxy with a certificate, and set PUBLIC_URL to its https:// address.";
    return { name, state: "warning", says, do: make };
  }
  const untried = (why: string): Check => ({ name, state: "note", says: `${publicUrl} could not be checked: ${why}` });
  if (port === 0) return untried("PORT is 0, so the server picks any free port.");
  const here = localOrigin(host, port);
  if ((await ask(here)) !== "frontdesk") return untried(`no server responds at ${here}.`);
  if (publicUrl === here) return { name, state: "ok", says: `${publicUrl} responds.` };

  const answer = await ask(publicUrl);
  if (answer === "frontdesk") return { name, state: "ok", says: `${publicUrl} responds.` };
  const says =
    answer === "something else"
      ? `The server is running, but something else responds at ${publicUrl}.`
      : `The server is running, but ${publicUrl} cannot be reached from this machine (${answer.problem}).`;
  const make = `Check the domain name and the reverse proxy, which must forward everything to ${here}. Some networks cannot reach their own public address. If so, check from outside.`;
  return { name, state: "warning", says, do: make };
}

type Answer = "frontdesk" | "something else" | { problem: string };

async function ask(origin: string): Promise<Answer> {
  try {
    const answer = await fetch(`${origin}/health/live`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    const body: unknown = await answer.json().catch(() => undefined);
    const ours = answer.status === 200 && (body as { status?: unknown } | undefined)?.status === "ok";
    return ours ? "frontdesk" : "something else";
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === "TimeoutError") return { problem: `no response within ${TIMEOUT_MS / 1000} s` };
    const { code, message: detail } = (cause ?? {}) as { code?: string; message?: string };
    return { problem: code ?? detail ?? message };
  }
}

/** Where this machine reaches the server: the address that means "every address" cannot be opened. */
function localOrigin(host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\./.test(hostname);
}
