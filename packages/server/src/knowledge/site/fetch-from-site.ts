import type { SiteProblem } from "@frontdesk/core/domain/site-problem";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Failure } from "../../outbound/post.ts";

/** As robots.txt names us. */
export const USER_AGENT = "FrontdeskBot";
const PAGE_MAX_BYTES = 2 * 1_048_576;
const TIMEOUT_MS = 15_000;

export type FromSite =
  | {
      kind: "content";
      bytes: Buffer;
      type: string;
      charset: string | undefined;
      etag: string | null;
      lastModified: string | null;
    }
  | { kind: "unchanged" }
  | { kind: "moved"; to: string }
  | { kind: "status"; status: number }
  | { kind: "failed"; problem: SiteProblem };

/** Asks for one address, once: no redirect is followed, and a body that is too long or breaks off is none. */
export async function fetchFromSite(
  ask: Outbound["ask"],
  {
    address,
    accept,
    etag,
    lastModified,
    signal,
    cutAllowed = false,
  }: {
    address: string;
    accept: string;
    etag?: string | null;
    lastModified?: string | null;
    signal: AbortSignal;
    /** Whether the beginning of a body that is too long is taken. */
    cutAllowed?: boolean;
  },
): Promise<FromSite> {
  const url = new URL(address);
  const outcome = await ask({
    url,
    method: "GET",
    body: "",
    headers: {
      Accept: accept,
      "Accept-Encoding": "identity",
      "User-Agent": `Mozilla/5.0 (compatible; ${USER_AGENT}/1.0)`,
      ...(etag && { "If-None-Match": etag }),
      ...(lastModified && { "If-Modified-Since": lastModified }),
    },
    timeoutMs: TIMEOUT_MS,
    maxBytes: PAGE_MAX_BYTES,
    signal,
  });
  signal.throwIfAborted();
  if (outcome.outcome === "failed") return { kind: "failed", problem: problemOf(outcome.error) };
  const { status, responseHead, responseBody, isWhole } = outcome;
  if (status === 304) return { kind: "unchanged" };
  if (status >= 300 && status < 400) {
    const to = URL.parse(responseHead.location ?? "", url);
    return to ? { kind: "moved", to: to.href } : { kind: "status", status };
  }
  if (status !== 200) return { kind: "status", status };
  if (!isWhole && responseBody.byteLength < PAGE_MAX_BYTES) return { kind: "failed", problem: "away" };
  if (!isWhole && !cutAllowed) return { kind: "failed", problem: "large" };
  // We have asked for none.
  if (!/^(?:identity)?$/i.test(responseHead["content-encoding"] ?? ""))
    return { kind: "failed", problem: "unreadable" };
  const type = responseHead["content-type"] ?? "";
  return {
    kind: "content",
    bytes: responseBody,
    type: type.split(";", 1)[0]?.trim().toLowerCase() ?? "",
    charset: /;\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(type)?.[1],
    etag: bounded(responseHead.etag),
    lastModified: bounded(responseHead["last-modified"]),
  };
}

const bounded = (validator: string | undefined): string | null =>
  validator !== undefined && validator.length <= 200 ? validator : null;

function problemOf(failure: Failure): SiteProblem {
  switch (failure) {
    case "blocked_address":
      return "blocked";
    case "dns":
      return "name";
    case "tls":
      return "certificate";
    case "timeout":
    case "connect":
    case "reset":
    case "protocol":
    case "aborted":
      return "away";
    default:
      return failure satisfies never;
  }
}
