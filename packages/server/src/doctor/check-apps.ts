import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { resourceUrl } from "@frontdesk/core/domain/app-resource";
import { isOnInternet, issuerOf } from "../authorization/issuer.ts";
import type { Settings } from "../config.ts";
import { isPublicAddress } from "../outbound/public-address.ts";
import type { Check } from "./check.ts";

const TIMEOUT_MS = 3_000;
const NAME = "apps";

/** All addresses of a host, as the machine finds them. */
export type AddressesOf = (host: string) => Promise<{ address: string; family: number }[]>;

/**
 * Whether apps can connect by address: claude.ai and ChatGPT come from the internet, by IPv4, follow no redirect to another host, and
 * need the challenge of a 401. What a network in between does is only seen from outside; what can be seen here is.
 */
export async function checkApps(
  { publicUrl }: Pick<Settings, "publicUrl">,
  addressesOf: AddressesOf = (host) => lookup(host, { all: true }),
): Promise<Check> {
  const issuer = issuerOf(publicUrl);
  if ("off" in issuer) {
    const why = issuer.off === "has-path" ? "has a path" : "is not https";
    const make = "Set PUBLIC_URL to an https:// address with a host name of its own and no path.";
    return { name: NAME, state: "note", says: `Apps cannot connect by address: ${publicUrl} ${why}.`, do: make };
  }
  const host = new URL(issuer.url).hostname.replace(/^\[(.*)\]$/, "$1");
  const isHere = !isOnInternet(issuer.url);
  const unreachable = isHere ? undefined : await addressProblem(host, addressesOf);
  if (unreachable) return { name: NAME, state: "warning", ...unreachable };
  const problem = (await documentProblem(issuer.url)) ?? (await challengeProblem(issuer.url));
  if (problem) return { name: NAME, ...problem };
  const address = resourceUrl(issuer.url, "mcp");
  if (!isHere) return { name: NAME, state: "ok", says: `Apps can connect to ${address}.` };
  const says = `Programs on this machine and in its network can connect to ${address}. claude.ai and ChatGPT cannot: it is not on the internet.`;
  return { name: NAME, state: "note", says };
}

type Problem = Pick<Check, "says" | "do">;

async function addressProblem(host: string, addressesOf: AddressesOf): Promise<Problem | undefined> {
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await addressesOf(host).catch(() => []);
  if (found.length === 0) {
    return { says: `${host} has no address.`, do: "Add an A record for it where its domain is managed." };
  }
  const ipv4 = found.filter(({ family }) => family === 4);
  if (ipv4.length === 0) {
    const make = "Add an A record: claude.ai connects by IPv4 alone.";
    return { says: `${host} has only IPv6 addresses. claude.ai cannot reach it.`, do: make };
  }
  if (!ipv4.every(({ address }) => isPublicAddress(address))) {
    const make =
      "If the internet gets another address for it, all is well. Else, claude.ai and ChatGPT cannot connect.";
    return { says: `On this machine, ${host} has a private address (${ipv4[0]?.address}).`, do: make };
  }
  return undefined;
}

type Found = Problem & Pick<Check, "state">;

const PROXY = "Let the reverse proxy and its bot protection pass /mcp, /oauth/ and /.well-known/ unchanged.";

async function documentProblem(issuer: string): Promise<Found | undefined> {
  const url = `${issuer}/.well-known/oauth-authorization-server`;
  const answer = await ask(url);
  if ("problem" in answer) {
    return { state: "note", says: `Apps could not be checked: ${url} does not answer (${answer.problem}).` };
  }
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    const says = `${url} redirects to ${headers.get("location")}. Apps do not follow.`;
    return { state: "warning", says, do: "Set PUBLIC_URL to the address that it redirects to, or stop redirecting." };
  }
  if (status !== 200) {
    return { state: "warning", says: `${url} answers with ${status}. Apps cannot connect.`, do: PROXY };
  }
  const body = (await answer.json().catch(() => undefined)) as { issuer?: unknown } | undefined;
  if (body?.issuer === issuer) return undefined;
  return { state: "warning", says: `Something else answers at ${url}. Apps cannot connect.`, do: PROXY };
}

async function challengeProblem(issuer: string): Promise<Found | undefined> {
  const url = resourceUrl(issuer, "mcp");
  const answer = await ask(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: "{}",
  });
  if ("problem" in answer) {
    return { state: "note", says: `Apps could not be checked: ${url} does not answer (${answer.problem}).` };
  }
  if (answer.status === 401 && answer.headers.get("www-authenticate")?.includes("resource_metadata=")) return undefined;
  const says =
    answer.status === 401
      ? `The WWW-Authenticate header of ${url} is removed on the way. Some apps cannot connect.`
      : `${url} answers with ${answer.status} instead of 401. Apps cannot connect.`;
  return { state: "warning", says, do: PROXY };
}

async function ask(url: string, init: RequestInit = {}): Promise<Response | { problem: string }> {
  try {
    return await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === "TimeoutError") return { problem: `no response within ${TIMEOUT_MS / 1000} s` };
    return { problem: (cause as { code?: string } | undefined)?.code ?? message };
  }
}
