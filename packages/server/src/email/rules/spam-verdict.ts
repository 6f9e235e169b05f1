import type { ParsedMail } from "../parse/parsed-mail.ts";
import { verdictOf } from "./verdict.ts";

/**
 * Whether the account's own server takes a mail for spam. Trusted as far as its Authentication-Results: with none of its own at
 * the top, nothing is; and of the headers only those that stand with it, above the hop before. A header further down
 * was written by a relay or by the sender.
 */
export function isSpam(headers: ParsedMail["headers"], authservId: string | null): boolean {
  if (verdictOf(headers, authservId) === undefined) return false;
  const verdict = headers.findIndex(([name]) => name === "authentication-results");
  const nextHop = headers.findIndex(([name], index) => index > verdict && name === "received");
  const own = headers.slice(0, nextHop === -1 ? headers.length : nextHop);
  // Exchange removes these of its own from what comes in, and writes them below the others.
  return own.some(saysSpam) || (authservId === "" && headers.some(saysExchangeSpam));
}

function saysSpam([name, value]: readonly [string, string]): boolean {
  const text = value.slice(0, 200).trim().toLowerCase();
  switch (name) {
    case "x-spam-flag":
    case "x-spam-status":
    case "x-spam":
    case "x-rspamd-flag":
      return /^(?:yes|true)\b/.test(text);
    case "x-rspamd-action":
      return /^(?:add header|rewrite subject|reject|quarantine)\b/.test(text);
    case "x-ses-spam-verdict":
      return text.startsWith("fail");
    default:
      return false;
  }
}

const SCL_OF_SPAM = 5;

function saysExchangeSpam([name, value]: readonly [string, string]): boolean {
  if (name === "x-ms-exchange-organization-scl") return Number.parseInt(value, 10) >= SCL_OF_SPAM;
  if (name !== "x-forefront-antispam-report") return false;
  return Number.parseInt(/(?:^|;)\s?SCL:(\d)/i.exec(value.slice(0, 2_000))?.[1] ?? "0", 10) >= SCL_OF_SPAM;
}
