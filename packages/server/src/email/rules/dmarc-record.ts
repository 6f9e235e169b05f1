import type { RecordsAnswer } from "../../outbound/domain-records.ts";

/** Longer names are not walked up label by label (RFC 9989, section 4.10). */
const LABELS_MAX = 8;

export type DmarcReading =
  | { found: "policy"; policy: "none" | "quarantine" | "reject"; at: string }
  | { found: "none" }
  | { found: "several" | "invalid"; at: string };

/** The DMARC record that counts for a domain: its own, else that of a domain above it; undefined where a name server doesn't answer. */
export async function readDmarc(
  domain: string,
  askTxt: (name: string) => Promise<RecordsAnswer>,
): Promise<DmarcReading | undefined> {
  for (const at of upwards(domain)) {
    const answer = await askTxt(`_dmarc.${at}`);
    if (answer === "no-answer") return undefined;
    const records = answer === "no-domain" ? [] : answer.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text));
    const [record, second] = records;
    if (record === undefined) continue;
    if (second !== undefined) return { found: "several", at };
    const policy = /;\s*p\s*=\s*([a-z]+)/i.exec(record)?.[1]?.toLowerCase();
    return policy === "none" || policy === "quarantine" || policy === "reject"
      ? { found: "policy", policy, at }
      : { found: "invalid", at };
  }
  return { found: "none" };
}

/** `mail.acme.example`, `acme.example`: never a single label, which is nobody's. */
function upwards(domain: string): string[] {
  const labels = domain.split(".");
  const from = Math.max(1, labels.length - LABELS_MAX + 1);
  const above = labels.map((_label, index) => labels.slice(index).join(".")).slice(from, -1);
  return [domain, ...above];
}
