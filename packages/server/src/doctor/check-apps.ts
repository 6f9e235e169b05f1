import type { AppReachProblem } from "@frontdesk/core/domain/app-reach";
import { resourceUrl } from "@frontdesk/core/domain/app-resource";
import {
  type AskRequest,
  checkReach,
  type Reach,
  type ReachAnswer,
  type ReachDoor,
} from "../authorization/check-reach.ts";
import { isOnInternet, issuerOf } from "../authorization/issuer.ts";
import type { Settings } from "../config.ts";
import { type NameLookup, nameLookup } from "../outbound/name-lookup.ts";
import { createOutbound } from "../outbound/outbound.ts";
import type { Check } from "./check.ts";

const TIMEOUT_MS = 3_000;
const NAME = "apps";

/** Whether apps can connect by address, seen from this machine: what the button in the settings checks. */
export async function checkApps(
  { publicUrl }: Pick<Settings, "publicUrl">,
  addressesOf: NameLookup = nameLookup({ own: false }),
): Promise<Check> {
  const issuer = issuerOf(publicUrl);
  if ("off" in issuer) {
    const why = issuer.off === "has-path" ? "has a path" : "is not https";
    const make = "Set PUBLIC_URL to an https:// address with a host name of its own and no path.";
    return { name: NAME, state: "note", says: `Apps cannot connect by address: ${publicUrl} ${why}.`, do: make };
  }
  const isHere = !isOnInternet(issuer.url);
  const found = isHere ? await checkReach(issuer.url, onThisMachine) : await fromTheInternet(issuer.url, addressesOf);
  if (found.problem !== null) return { name: NAME, ...inWords(found, found.problem) };
  const address = resourceUrl(issuer.url, "mcp");
  if (!isHere) return { name: NAME, state: "ok", says: `Apps can connect to ${address}.` };
  const says = `Programs on this machine and in its network can connect to ${address}. claude.ai and ChatGPT cannot: it is not on the internet.`;
  return { name: NAME, state: "note", says };
}

async function fromTheInternet(issuer: string, addressesOf: NameLookup): Promise<Reach> {
  const outbound = createOutbound({ allowedNetworks: [], lookup: addressesOf, timeoutMs: TIMEOUT_MS });
  try {
    return await checkReach(issuer, { addressesOf, ask: outbound.ask });
  } finally {
    outbound.close();
  }
}

/** Without TLS, and to private addresses. */
const onThisMachine: ReachDoor = { addressesOf: undefined, ask: askPlainly };

async function askPlainly({ url, method, headers, body }: AskRequest): Promise<ReachAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const sent = method === "GET" ? {} : { body };
    const answer = await fetch(url, { redirect: "manual", method, headers, signal, ...sent });
    const responseBody = Buffer.from(await answer.arrayBuffer());
    const responseHead = Object.fromEntries(answer.headers);
    return { outcome: "answered", status: answer.status, responseHead, responseBody };
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === "TimeoutError") return { outcome: "failed", error: "timeout" };
    const code = (cause as { code?: string } | undefined)?.code ?? message;
    return { outcome: "failed", error: /CERT|TLS|SSL/.test(code) ? "tls" : "connect", code };
  }
}

const PROXY = "Let the reverse proxy and its bot protection pass /mcp, /oauth/ and /.well-known/ unchanged.";

function inWords({ url, detail }: Reach, problem: AppReachProblem): Omit<Check, "name"> {
  const warning = (says: string, make: string) => ({ state: "warning", says, do: make }) as const;
  const { host } = new URL(url);
  switch (problem) {
    case "no-address":
      return warning(`${host} has no address.`, "Add an A record for it where its domain is managed.");
    case "only-ipv6":
      return warning(
        `${host} has only IPv6 addresses. claude.ai cannot reach it.`,
        "Add an A record: claude.ai connects by IPv4 alone.",
      );
    case "private-address":
      return warning(
        `On this machine, ${host} has a private address (${detail}).`,
        "If the internet gets another address for it, all is well. Else, claude.ai and ChatGPT cannot connect.",
      );
    case "certificate":
      return warning(
        `The certificate of ${host} is not valid (${detail}). Apps cannot connect.`,
        "Renew it, and let the reverse proxy send its whole chain.",
      );
    case "no-answer":
      return { state: "note", says: `Apps could not be checked: ${url} does not answer (${detail}).` };
    case "redirect":
      return warning(
        `${url} redirects to ${detail}. Apps do not follow.`,
        "Set PUBLIC_URL to the address that it redirects to, or stop redirecting.",
      );
    case "refused":
      return warning(`${url} answers with ${detail}. Apps cannot connect.`, PROXY);
    case "other-server":
      return warning(`Something else answers at ${url}. Apps cannot connect.`, PROXY);
    case "no-challenge":
      return warning(`The WWW-Authenticate header of ${url} is removed on the way. Some apps cannot connect.`, PROXY);
    default:
      return problem satisfies never;
  }
}
