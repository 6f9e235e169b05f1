/**
 * The Message-ID that a relay puts in place of ours, which it says in its answer to the mail: answers then refer to that one. Undefined
 * for relays that keep ours.
 *
 * @param host the server that the mail was given to
 * @param response its answer, as `250 Ok 0102018f0a…-000000`
 */
export function relayMessageId(host: string, response: string): string | undefined {
  const relay = RELAYS.find((each) => each.host.test(host));
  const id = relay && ID.exec(response)?.[0];
  return id && `<${id}@${relay.domain(host)}>`;
}

interface Relay {
  host: RegExp;
  domain(host: string): string;
}

const SES = /^email-smtp(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com$/i;

const RELAYS: readonly Relay[] = [
  // The oldest region has a name of its own.
  { host: SES, domain: (host) => `${sesRegion(host)}.amazonses.com` },
  { host: /^smtp(?:-broadcasts)?\.postmarkapp\.com$/i, domain: () => "mtasv.net" },
];

function sesRegion(host: string): string {
  const region = SES.exec(host)?.[1]?.toLowerCase() ?? "";
  return region === "us-east-1" ? "email" : region;
}

/** The hexadecimal id with its parts, as both write it. */
const ID = /\b[0-9a-f]{8,32}(?:-[0-9a-f]{4,12}){4,6}\b/i;
