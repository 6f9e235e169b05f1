/**
 * What a failure means for the next mail to an address.
 *
 * - `permanent`: there is no such mailbox; the address is suppressed
 * - `full`: the mailbox takes nothing at present
 * - `policy`: the server refuses this mail or its sender, or says nothing that we know: the address stays
 * - `temporary`: the server was tried, and may be again
 */
export type FailureClass = "permanent" | "temporary" | "full" | "policy";

const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/g;

/** The enhanced status code (RFC 3463) in a text, as `5.1.1`: the first that says more than `5.1.0`. */
export function statusIn(text: string): string | undefined {
  const codes = [...text.matchAll(STATUS)].map(([, code]) => code as string);
  return codes.find((code) => !code.endsWith(".0")) ?? codes[0];
}

const FULL =
  /over ?quota|quota (?:exceeded|full)|exceeded (?:\w+ ){0,3}quota|(?:mail ?box|mail ?folder|inbox|storage)(?:'s)? (?:\w+ ){0,3}(?:full|exceed)|insufficient (?:disk|storage|space)|not enough (?:disk |storage )?space|out of storage|exceeds? (?:\w+ ){0,3}(?:storage|disk)/i;
const UNKNOWN =
  /(?:user|mail ?box|recipient|address|account|mailuser) (?:\w+ ){0,4}(?:unknown|not found|n't (?:be )?found|does(?:n't| not) exist|not exist|unavailable|disabled|inactive|suspended|discontinued|closed|locked|frozen|invalid|not (?:listed|recognized)|is blocked)|couldn't be found|no such (?:user|mailbox|recipient|address|person|account|local|domain)|(?:unknown|invalid|bad|illegal|disabled|inactive) (?:\w+ ){0,3}(?:user|recipient|address|local|mail ?box|account|userid|host)|no mail ?box|doesn't have an? |does not exist|(?:not|isn't) an? (?:\w+ )?(?:known|valid|registered) |unrout(?:e)?able|host (?:or domain )?(?:name )?(?:\S+ )?(?:not found|unknown)|(?:couldn't|could not|cannot) find (?:any |a )?host|domain (?:\w+ ){0,3}(?:not found|unknown|not reachable)|non-?existent ?(?:domain|user|host)|not listed in|no valid recipients|not recognized|recipient not found|invalid domain\b|recipient address rejected(?:: access denied|\.?$)|見つかりません|リストにありません/i;
const POLICY =
  /\bspam|black ?list|block(?:ed|list)|\bRBL\b|reputation|\bpolic(?:y|ies)\b|\bSPF\b|\bDKIM\b|\bDMARC\b|unsolicited|not (?:authori[sz]ed|allowed|permitted)|access denied|rejected (?:due to|by) content|virus|message (?:size|too (?:big|large))|too large|too many recipients|size limit|prohibited|restricted|relay(?:ing)? denied|unable to relay|sender (?:address |domain )?(?:rejected|denied|verif)|(?:bad|invalid|domain of) sender|unauthenticated|authenticat|\bPTR\b|reverse dns/i;
const LATER =
  /try (?:again )?later|not found, try again|temporar|deferred|greylist|timed? ?out|connection (?:refused|lost|reset)|will retry|too many (?:connections|hops)|hop count|\bloop|(?:queue|process) too long|giving up|aborted after|not (?:responding|reachable|accepting)|(?:unable|our requests) to connect|failed \d+ attempts|multiple retries|failing for a long time|expired|network error|name service error|currently unavailable|at a rate/i;
/** Refused before any recipient was named, or once all were taken: not for the recipient's sake, but by other words. */
const BEFORE_RECIPIENT =
  /(?:after|in reply to|did not like our|rejected at) (?:pipelined )?(?:MAIL FROM|initial connection|[EH]H?LO|STARTTLS)\b|\[MAIL_FROM\]|>>> MAIL FROM|my name was rejected/i;
const AFTER_RECIPIENT =
  /(?:after|in reply to|did not like our|for) (?:final |pipelined )?(?:end of data|DATA|BDAT|TEXT)\b/i;

/** @param context the words around those about the address: they decide where these say nothing */
export function classOf(failure: {
  isDelayed: boolean;
  status: string | null;
  words: string;
  context?: string;
}): FailureClass {
  return (
    classBy(failure) ?? (failure.context ? classBy({ ...failure, words: failure.context }) : undefined) ?? "policy"
  );
}

function classBy({ isDelayed, status, words }: Parameters<typeof classOf>[0]): FailureClass | undefined {
  if (/^[245]\.2\.2$/.test(status ?? "") || FULL.test(words)) return "full";
  if (isDelayed || status?.startsWith("4")) return "temporary";
  if (BEFORE_RECIPIENT.test(words)) return "policy";
  return classByStatus(status, words) ?? classByWords(status, words);
}

/** What the codes of RFC 3463 mean, where they mean it alone. */
function classByStatus(status: string | null, words: string): FailureClass | undefined {
  const [, subject, detail] = (status ?? "0.0.0").split(".");
  const isUnknown = UNKNOWN.test(words);
  const isPolicy = POLICY.test(words) || AFTER_RECIPIENT.test(words);
  switch (subject) {
    case "1":
      // 5.1.7 and 5.1.8 are about the sender's address.
      return detail === "7" || detail === "8" || (isPolicy && !isUnknown) ? "policy" : "permanent";
    case "2":
      if (detail === "3") return "policy";
      return detail === "1" && !LATER.test(words) && !isPolicy ? "permanent" : undefined;
    case "3":
      if (isUnknown) return "permanent";
      return detail === "4" || isPolicy ? "policy" : "temporary";
    case "4":
      if (isUnknown && !/try again/i.test(words)) return "permanent";
      return POLICY.test(words) ? "policy" : "temporary";
    case "5":
    case "6":
      return isUnknown ? "permanent" : "policy";
    case "7":
      // 5.7.13: the account is disabled. Relays write words of their own before the server's.
      return UNKNOWN.test(afterCode(status, words)) || detail === "13" ? "permanent" : "policy";
    default:
      return undefined;
  }
}

/** The words after the code, where there are some: others write it at the end. */
function afterCode(status: string | null, words: string): string {
  const after = words.slice(words.indexOf(status ?? "") + (status ?? "").length);
  return words.includes(status ?? "") && /\p{L}{3}/u.test(after) ? after : words;
}

function classByWords(status: string | null, words: string): FailureClass | undefined {
  const isLater = LATER.test(words);
  if (/not found, try again/i.test(words)) return "temporary";
  if (UNKNOWN.test(words)) return "permanent";
  if (POLICY.test(words)) return "policy";
  // Without a code of its own, a server that says "later", or answers 4xx, may take the next mail.
  if (isLater || (status === null && /(?<![\d.])4[25]\d[ -]/.test(words))) return "temporary";
  return AFTER_RECIPIENT.test(words) ? "policy" : undefined;
}
