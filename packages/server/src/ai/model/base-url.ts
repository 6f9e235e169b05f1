import type { PlainReasonName } from "@frontdesk/core/domain/reasons";
import { familyOf } from "../../outbound/address-range.ts";
import { type AllowedNetworks, allowedNetworks } from "../../outbound/allowed-networks.ts";
import { isLocalName, isThisMachine } from "../../outbound/local-name.ts";
import { isPublicAddress } from "../../outbound/public-address.ts";

/** Where model servers may be, as the operator has set it. */
export interface ModelNetwork {
  allowed: AllowedNetworks;
  /** Of AI_BASE_URL: may be anywhere, since the operator has named it. */
  operatorOrigin: string | undefined;
}

/**
 * @param settings.aiAllowedNetworks AI_ALLOWED_NETWORKS
 * @param settings.ai AI_BASE_URL and its neighbours
 */
export function modelNetwork(settings: {
  aiAllowedNetworks: readonly string[];
  ai: { baseUrl: string } | undefined;
}): ModelNetwork {
  return {
    allowed: allowedNetworks(settings.aiAllowedNetworks),
    operatorOrigin: settings.ai && new URL(settings.ai.baseUrl).origin,
  };
}

/**
 * Why a base URL cannot be saved; undefined when it can. https to the public internet, http or https to the networks that the
 * operator has listed. A name is only read here: its addresses are vetted at each connection (`outbound/stream.ts`).
 */
export function checkBaseUrl(text: string, { allowed, operatorOrigin }: ModelNetwork): PlainReasonName | undefined {
  const url = URL.parse(text);
  if (!url || !isPlain(url)) return "ai-base-url";
  if (url.origin === operatorOrigin) return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const isPublic = familyOf(host) === undefined ? !isLocalName(host) : isPublicAddress(host);
  if (!isPublic && !isListed(host, allowed)) return "ai-base-url-private";
  const isSecure = url.protocol === "https:";
  return isSecure || isListed(host, allowed) ? undefined : "ai-base-url-plain";
}

function isPlain({ protocol, hostname, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && hostname !== "" && `${username}${password}${search}${hash}` === "";
}

/** Whether it can be in a listed network, as far as it can be told without looking a name up. */
function isListed(host: string, allowed: AllowedNetworks): boolean {
  if (familyOf(host) !== undefined) return allowed.include(host);
  return isThisMachine(host) ? ["127.0.0.1", "::1"].some(allowed.include) : !allowed.none;
}
