import type { RecordsAnswer } from "../../outbound/domain-records.ts";

/** More lookups make a record invalid (RFC 7208, section 4.6.4). */
export const SPF_LOOKUPS_MAX = 10;

/**
 * What is wrong with the SPF of a domain; the record is then of no use, or of no worth.
 *
 * - `none`, `several`: records of the domain itself
 * - `unreadable`: a term that there is not
 * - `missing`: a record that it refers to
 * - `too-many`: lookups
 * - `everyone`: it lets the whole world send
 */
export type SpfProblem =
  | { kind: "none" | "several" | "too-many" | "everyone" }
  | { kind: "unreadable" | "missing"; what: string };

export interface SpfReading {
  problem: SpfProblem | undefined;
  /** The domains that it includes, in lower case, those of included ones too. */
  includes: ReadonlySet<string>;
}

type AskTxt = (name: string) => Promise<RecordsAnswer>;

/** Reads the SPF of a domain with what it includes; undefined where a name server doesn't answer. */
export async function readSpf(domain: string, askTxt: AskTxt): Promise<SpfReading | undefined> {
  const found = await recordsOf(domain, askTxt);
  if (found === undefined) return undefined;
  const [record, second] = found;
  const includes = new Set<string>();
  if (record === undefined) return { problem: { kind: "none" }, includes };
  if (second !== undefined) return { problem: { kind: "several" }, includes };
  const walk = { lookups: 0, includes, askTxt };
  const problem = await walkRecord(record, walk);
  if (problem === "no-answer") return undefined;
  return { problem: problem ?? (allowsEveryone(record) ? { kind: "everyone" } : undefined), includes };
}

interface Walk {
  lookups: number;
  includes: Set<string>;
  askTxt: AskTxt;
}

const MECHANISM = /^[+\-~?]?(all|include|a|mx|ptr|ip4|ip6|exists)(?:[:/].*)?$/i;
const MODIFIER = /^[a-z][\w.-]*=/i;
const LOOKS_UP = new Set(["include", "a", "mx", "ptr", "exists"]);

async function walkRecord(record: string, walk: Walk): Promise<SpfProblem | "no-answer" | undefined> {
  for (const term of termsOf(record)) {
    const mechanism = MECHANISM.exec(term)?.[1]?.toLowerCase();
    const redirect = /^redirect=(.+)$/i.exec(term)?.[1];
    if (mechanism === undefined && !MODIFIER.test(term)) return { kind: "unreadable", what: term };
    if (redirect === undefined && !LOOKS_UP.has(mechanism ?? "")) continue;
    walk.lookups += 1;
    if (walk.lookups > SPF_LOOKUPS_MAX) return { kind: "too-many" };
    const target = redirect ?? (mechanism === "include" ? term.slice(term.indexOf(":") + 1) : undefined);
    // What a macro becomes is known only of a mail.
    if (target === undefined || target.includes("%")) continue;
    const problem = await walkTarget(target.toLowerCase().replace(/\.$/, ""), walk);
    if (problem) return problem;
  }
  return undefined;
}

async function walkTarget(target: string, walk: Walk): Promise<SpfProblem | "no-answer" | undefined> {
  walk.includes.add(target);
  const found = await recordsOf(target, walk.askTxt);
  if (found === undefined) return "no-answer";
  const [record, second] = found;
  return record === undefined || second !== undefined ? { kind: "missing", what: target } : walkRecord(record, walk);
}

/** Undefined without an answer. */
async function recordsOf(name: string, askTxt: AskTxt): Promise<string[] | undefined> {
  const answer = await askTxt(name);
  if (answer === "no-answer") return undefined;
  return answer === "no-domain" ? [] : answer.filter((text) => /^v=spf1(?: |$)/i.test(text));
}

const termsOf = (record: string): string[] => record.split(/ +/).slice(1).filter(Boolean);

const allowsEveryone = (record: string): boolean => termsOf(record).some((term) => /^\+?all$/i.test(term));
