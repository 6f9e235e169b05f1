/**
 * What a failure means for the next mail to an address.
 *
 * - `permanent`: there is no such mailbox; the address is suppressed
 * - `full`: the mailbox takes nothing at present
 * - `policy`: the server refuses this mail or its sender, not the address
 * - `temporary`: the server was tried, and may be again
 */
export type FailureClass = "permanent" | "temporary" | "full" | "policy";

/** An enhanced status code (RFC 3463) in a text, as `5.1.1`. */
export function statusIn(text: string): string | undefined {
  return /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(text)?.[1];
}

const FULL =
  /over ?quota|quota (?:exceeded|full)|exceeded (?:\w+ ){0,3}quota|(?:mail ?box|inbox|storage) (?:\w+ ){0,3}full|insufficient (?:disk|storage|space)|not enough (?:disk |storage )?space|out of storage|exceeds? (?:\w+ ){0,3}(?:storage|disk)/i;
const UNKNOWN =
  /(?:user|mailbox|recipient|address|account|mailuser) (?:\w+ ){0,4}(?:unknown|not found|does(?:n't| not) exist|unavailable|disabled|inactive|rejected|invalid)|no such (?:user|mailbox|recipient|address|person|account)|unknown (?:user|recipient|address|local|mailbox)|(?:invalid|bad) (?:recipient|mailbox|address)|no mailbox|doesn't have an? |does not exist|unrouteable|host (?:or domain )?(?:name )?(?:not found|unknown)|couldn't find (?:any|a) host|not listed in/i;
const POLICY =
  /\bspam|black ?list|block(?:ed|list)|\bRBL\b|reputation|\bpolicy|\bSPF\b|\bDKIM\b|\bDMARC\b|unsolicited|not authori[sz]ed|access denied|rejected (?:due to|by) content|virus|message (?:size|too (?:big|large))|too large|size limit|not permitted|prohibited|restricted|relay(?:ing)? denied|unable to relay/i;
const LATER =
  /try (?:again )?later|temporar|deferred|greylist|timed? ?out|connection refused|will retry|too many connections/i;

export function classOf(failure: { isDelayed: boolean; status: string | null; words: string }): FailureClass {
  const { status, words } = failure;
  const [, subject, detail] = (status ?? "0.0.0").split(".");
  if (`${subject}.${detail}` === "2.2" || (subject !== "1" && FULL.test(words))) return "full";
  if (failure.isDelayed || status?.startsWith("4")) return "temporary";
  if (subject === "7" || `${subject}.${detail}` === "3.4") return UNKNOWN.test(words) ? "permanent" : "policy";
  if (subject === "1") return "permanent";
  if (UNKNOWN.test(words)) return "permanent";
  if (POLICY.test(words)) return "policy";
  // Without a code of its own, a server that says "later", or answers 4xx, may take the next mail.
  if (status === null && (LATER.test(words) || /(?<![\d.])4[25]\d[ -]/.test(words))) return "temporary";
  return "permanent";
}
