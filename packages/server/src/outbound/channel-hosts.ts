import { isIP } from "node:net";
import type { PlainReasonName } from "@frontdesk/core/domain/reasons";
import { type AllowedNetworks, allowedNetworks } from "./allowed-networks.ts";
import { isLocalName, isThisMachine } from "./local-name.ts";
import { isPublicAddress } from "./public-address.ts";

/** What can be told of the host of an account before it is looked up; the address itself is vetted at each connection. */
export interface ChannelHosts {
  allowed: AllowedNetworks;
  /** Why a host cannot be saved; undefined when it can. */
  problemOf(host: string): PlainReasonName | undefined;
  /** Why a host cannot be saved for connections without encryption. */
  plainProblemOf(host: string): PlainReasonName | undefined;
}

/** @param entries CHANNEL_ALLOWED_NETWORKS */
export function channelHosts(entries: readonly string[]): ChannelHosts {
  const allowed = allowedNetworks(entries);
  const isAllowedHere = (host: string) =>
    isIP(host) !== 0
      ? allowed.include(host)
      : isThisMachine(host)
        ? ["127.0.0.1", "::1"].some(allowed.include)
        : !allowed.none;
  return {
    allowed,
    problemOf(host) {
      if (isIP(host) !== 0) return isPublicAddress(host) || allowed.include(host) ? undefined : "host-not-allowed";
      if (!isHostName(host)) return "mail-host";
      return isLocalName(host) && !isAllowedHere(host) ? "host-not-allowed" : undefined;
    },
    plainProblemOf: (host) => (isAllowedHere(host) ? undefined : "security-none"),
  };
}

/** The host in the form that is stored: lower case, no brackets, no dot at its end. */
export function canonicalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** A name whose last label is a number is read as an IPv4 address by some: `127.1`, `2130706433`, `0x7f.1`. */
function isHostName(host: string): boolean {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  return (
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/.test(label)) && !/^(\d+|0x[0-9a-f]*)$/.test(last)
  );
}
