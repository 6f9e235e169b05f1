import type { FastifyRequest } from "fastify";
import { HttpProblem } from "./http-problem.ts";

/** @throws HttpProblem 403 for a request that was sent to another host, or from a page of another site */
export type OwnOrigin = (request: Pick<FastifyRequest, "host" | "hostname" | "headers">) => void;

/**
 * A page on another site could make its visitor's browser call us under a host name of its own that resolves to us. So the host
 * has to be ours: that of PUBLIC_URL, an IP address, which no such page can choose, or this machine. And a request from a page
 * has to come from one of ours, or from this machine.
 */
export function ownOriginOnly(publicUrl: string): OwnOrigin {
  const ours = new URL(publicUrl).hostname;
  return (request) => {
    if (!isOurHost(hostIn(`http://${request.host}`), ours)) {
      throw new HttpProblem(403, "http.foreign-host");
    }
    const { origin, "sec-fetch-site": site } = request.headers;
    // A page that hides its origin sends `null`; the browser still says that it is of this host.
    if (origin !== undefined && site !== "same-origin" && !isOurOrigin(hostIn(origin), request.hostname, ours)) {
      throw new HttpProblem(403, "http.foreign-page");
    }
  };
}

function isOurHost(host: string | undefined, ours: string): boolean {
  return host !== undefined && (host === ours || isLocal(host) || /^[\d.]+$/.test(host) || host.startsWith("["));
}

function isOurOrigin(origin: string | undefined, asked: string, ours: string): boolean {
  return origin !== undefined && (origin === ours || isLocal(origin) || origin === hostIn(`http://${asked}`));
}

function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "127.0.0.1" || host === "[::1]";
}

/** The host of an address as URLs write it; undefined for an invalid one, including `null`. */
function hostIn(address: string): string | undefined {
  return URL.parse(address)?.hostname;
}
