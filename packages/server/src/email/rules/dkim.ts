import type { RecordsAnswer } from "../../outbound/domain-records.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { headersOf } from "./mail-headers.ts";

/** Who says that they have signed a mail (RFC 6376, section 3.5). The signature itself is verified by the server that receives it. */
export interface DkimSignature {
  /** In lower case. */
  domain: string;
  selector: string;
}

/** No more signatures of a mail are looked at. */
const SIGNATURES_MAX = 10;
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,250}[a-z0-9_])?$/i;

/** The signatures of a mail, from the top. */
export function dkimSignatures(headers: ParsedMail["headers"]): DkimSignature[] {
  return headersOf(headers, "dkim-signature")
    .slice(0, SIGNATURES_MAX)
    .flatMap((header) => {
      const tags = tagsOf(header);
      const [domain, selector] = [tags.get("d") ?? "", tags.get("s") ?? ""];
      return NAME.test(domain) && NAME.test(selector) ? [{ domain: domain.toLowerCase(), selector }] : [];
    });
}

/**
 * Whether a signature counts for mails of a domain: it is of the same one, of one above it or below it. DMARC's relaxed mode takes
 * siblings too (RFC 9989), which are not known as such here.
 */
export const isAligned = ({ domain: signer }: Pick<DkimSignature, "domain">, domain: string): boolean =>
  signer === domain || signer.endsWith(`.${domain}`) || (signer.includes(".") && domain.endsWith(`.${signer}`));

/** Where the key of a signature is. */
export const dkimKeyName = ({ domain, selector }: DkimSignature): string => `${selector}._domainkey.${domain}`;

export type DkimKey = "there" | "missing" | "several" | "revoked" | "no-answer";

/** What the DNS has of the key of a signature (RFC 6376, section 3.6.1). */
export async function readDkimKey(
  signature: DkimSignature,
  askTxt: (name: string) => Promise<RecordsAnswer>,
): Promise<DkimKey> {
  const answer = await askTxt(dkimKeyName(signature));
  if (answer === "no-answer") return answer;
  const keys = answer === "no-domain" ? [] : answer.map(tagsOf).filter(isKey);
  const [key, second] = keys;
  if (key === undefined) return "missing";
  if (second !== undefined) return "several";
  return key.get("p") === "" ? "revoked" : "there";
}

const isKey = (tags: ReadonlyMap<string, string>): boolean => tags.has("p") && (tags.get("v") ?? "DKIM1") === "DKIM1";

/** The tags of a list (RFC 6376, section 3.2), without any white space: none that is read here has some. */
function tagsOf(list: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const each of list.replaceAll(/\s+/g, "").split(";")) {
    const at = each.indexOf("=");
    if (at > 0 && !tags.has(each.slice(0, at))) tags.set(each.slice(0, at), each.slice(at + 1));
  }
  return tags;
}
