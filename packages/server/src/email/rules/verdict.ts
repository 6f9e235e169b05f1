import type { ParsedMail } from "../parse/parsed-mail.ts";
import { HEADER_MAX } from "./mail-headers.ts";

export type Result = "pass" | "fail" | "none";

/** What the account's own mail server found out about a mail. */
export interface Verdict {
  dmarc: Result;
  spf: Result;
  dkim: Result;
}

/**
 * The verdict in the topmost Authentication-Results (RFC 8601), if it was written by the account's own server. Any other header
 * counts as forged: a sender may write as many as it likes, but none above the one of the server that received the mail.
 *
 * @param authservId as the account's server names itself, confirmed by an admin; "" for Microsoft 365, whose header names
 * none; null where it is not known
 */
export function verdictOf(headers: ParsedMail["headers"], authservId: string | null): Verdict | undefined {
  const topmost = headers.find(([name]) => name === "authentication-results");
  if (topmost === undefined || authservId === null) return undefined;
  const { server, results } = readAuthenticationResults(topmost[1]);
  if (server !== authservId.toLowerCase()) return undefined;
  const of = (method: string) => results.flatMap((each) => (each.method === method ? [meaningOf(each.result)] : []));
  // One valid signature is enough; the other methods have one result, and a second one is not ours.
  const dkim = of("dkim");
  return {
    dmarc: of("dmarc")[0] ?? "none",
    spf: of("spf")[0] ?? "none",
    dkim: dkim.includes("pass") ? "pass" : (dkim[0] ?? "none"),
  };
}

/** The server that an Authentication-Results header names, in lower case; an admin confirms it. */
export const authservIdOf = (header: string): string => readAuthenticationResults(header).server;

function meaningOf(result: string): Result {
  if (result === "pass") return "pass";
  // Errors and `neutral` say nothing about the sender.
  return result === "fail" || result === "softfail" || result === "hardfail" ? "fail" : "none";
}

interface AuthenticationResults {
  server: string;
  results: { method: string; result: string }[];
}

function readAuthenticationResults(header: string): AuthenticationResults {
  const [first = "", ...others] = clausesOf(header.slice(0, HEADER_MAX));
  const namesServer = !isResult(first);
  const server = namesServer ? (/^\S*/.exec(first)?.[0].toLowerCase() ?? "") : "";
  const results = (namesServer ? others : [first, ...others]).flatMap((clause) => {
    const found = RESULT.exec(clause);
    return found ? [{ method: (found[1] as string).toLowerCase(), result: (found[2] as string).toLowerCase() }] : [];
  });
  return { server, results };
}

/** `dkim=pass`, `dmarc/1 = fail`: what follows are reasons and properties. */
const RESULT = /^([a-z][a-z0-9-]*)(?:\s*\/\s*\d+)?\s*=\s*([a-z]+)/i;
const isResult = (clause: string): boolean => RESULT.test(clause);

/** The header split at its semicolons, without comments, which may be nested, and with what is quoted left out. */
function clausesOf(header: string): string[] {
  const clauses: string[] = [];
  let clause = "";
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at++) {
    const sign = header[at] as string;
    if (sign === "\\" && (isQuoted || depth > 0)) at++;
    else if (isQuoted) isQuoted = sign !== '"';
    else if (sign === "(") depth++;
    else if (sign === ")") depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (sign === '"') isQuoted = true;
    else if (sign === ";") {
      clauses.push(clause.trim());
      clause = "";
    } else clause += sign;
  }
  return [...clauses, clause.trim()];
}
