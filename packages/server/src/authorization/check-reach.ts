import type { AppReachProblem } from "@frontdesk/core/domain/app-reach";
import { resourceUrl } from "@frontdesk/core/domain/app-resource";
import { familyOf } from "../outbound/address-range.ts";
import type { NameLookup } from "../outbound/name-lookup.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Answered, Failed } from "../outbound/post.ts";
import { resourceMetadataUrl } from "./metadata.ts";

/** What was found at an address, and where. */
export interface Reach {
  /** Null where nothing was found that keeps apps away. */
  problem: AppReachProblem | null;
  /** The URL that was asked for. */
  url: string;
  /** A host, an address, a status, where it redirects to, or the system's code. */
  detail: string;
}

export type AskRequest = Parameters<Outbound["ask"]>[0];

/** How it is asked: in the server through the door to the internet alone, in `doctor` also on this machine. */
export interface ReachDoor {
  /** Undefined where the host is this machine. */
  addressesOf: NameLookup | undefined;
  ask(request: AskRequest): Promise<ReachAnswer>;
}

export type ReachAnswer =
  | Pick<Answered, "outcome" | "status" | "responseHead" | "responseBody">
  | Pick<Failed, "outcome" | "error" | "code">;

/**
 * Whether apps can connect by address: claude.ai and ChatGPT come from the internet, by IPv4, follow no redirect to another host, and
 * need the documents and the challenge of a 401. What a network in between does is only seen from outside; what can be seen here is.
 */
export async function checkReach(issuer: string, door: ReachDoor): Promise<Reach> {
  const { hostname } = new URL(issuer);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = await addressesAt(host, door);
  const at = (problem: AppReachProblem | null, url: string, detail: string): Reach => ({ problem, url, detail });
  if (addresses.length === 0) return at("no-address", issuer, host);
  const ipv4 = addresses.find((address) => familyOf(address) === "ipv4");
  if (ipv4 === undefined && door.addressesOf) return at("only-ipv6", issuer, host);

  const documents = [
    [`${issuer}/.well-known/oauth-authorization-server`, "issuer", issuer],
    [resourceMetadataUrl(issuer, "mcp"), "resource", resourceUrl(issuer, "mcp")],
  ] as const;
  for (const [url, member, value] of documents) {
    const answer = await ask(url);
    if ("problem" in answer) return answer;
    if (answer.status !== 200) return at("refused", url, String(answer.status));
    if (jsonOf(answer.responseBody)?.[member] !== value) return at("other-server", url, host);
  }
  const url = resourceUrl(issuer, "mcp");
  const answer = await ask(url, { method: "POST", body: "{}" });
  if ("problem" in answer) return answer;
  if (answer.status !== 401) return at("refused", url, String(answer.status));
  const challenge = answer.responseHead["www-authenticate"] ?? "";
  return at(challenge.includes("resource_metadata=") ? null : "no-challenge", url, host);

  async function ask(url: string, more: Pick<AskRequest, "method" | "body"> = { method: "GET", body: "" }) {
    const headers = { Accept: "application/json, text/event-stream", "User-Agent": "Frontdesk" };
    const json = more.method === "POST" ? { "Content-Type": "application/json" } : {};
    const answer = await door.ask({ url: new URL(url), headers: { ...headers, ...json }, ...more });
    if (answer.outcome === "failed") {
      if (answer.error === "blocked_address") return at("private-address", url, ipv4 ?? host);
      return at(answer.error === "tls" ? "certificate" : "no-answer", url, answer.code ?? answer.error);
    }
    const { status, responseHead } = answer;
    if (status >= 300 && status < 400) return at("redirect", url, responseHead.location ?? String(status));
    return answer;
  }
}

async function addressesAt(host: string, { addressesOf }: ReachDoor): Promise<readonly string[]> {
  if (!addressesOf || familyOf(host)) return [host];
  return addressesOf(host).catch(() => []);
}

function jsonOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString("utf8")) ?? undefined;
  } catch {
    return undefined;
  }
}
