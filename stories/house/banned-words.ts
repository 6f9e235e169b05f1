/** Words and phrases that no English text for users has, each with the usual ones. */
export interface BannedWords {
  pattern: RegExp;
  instead: string;
}

/** In every text: dashboard, widget, mails, command line, guides. */
export const bannedWords: readonly BannedWords[] = [
  { pattern: /\b(some|any|every)body\b/i, instead: "someone, anyone, everyone; or what the person is: a teammate" },
  { pattern: /\bnobody\b/i, instead: "no one; or the word for the person" },
  { pattern: /\bwho(so|m)?ever\b/i, instead: "the word for the person: the owner, a visitor" },
  { pattern: /\be-mail/i, instead: "email" },
  { pattern: /\p{L} …/u, instead: "the ellipsis without a space before it: Loading…" },
  { pattern: /^[A-Z]\w+: [a-z]/, instead: "a sentence: Leave empty to allow any website." },
  { pattern: /\bpictures?\b/i, instead: "photo of a person; image elsewhere" },
  { pattern: /^look$|\b(light|dark) look\b|\blook as\b|\bhow it looks\b/i, instead: "theme, appearance" },
  { pattern: /\bhumans? wanted\b|\bhuman was asked for\b/i, instead: "needs a human, human requested" },
  { pattern: /\bvouch/i, instead: "verify, identity verification" },
  { pattern: /\bintroduce[ds]?\b/i, instead: "identify" },
  { pattern: /\bin the name of\b|\bin (whose|your own) name\b/i, instead: "as, on behalf of" },
  { pattern: /\bin charge of\b/i, instead: "assigned to" },
  { pattern: /\btaken? (it )?(off|from)\b/i, instead: "removed from, unassigned" },
  { pattern: /\b(works?|wants?) no more\b/i, instead: "no longer works" },
  { pattern: /\bnot whole\b/i, instead: "incomplete" },
  { pattern: /\ball the same\b/i, instead: "anyway, regardless" },
  { pattern: /\bbehind the (slash|bar|question mark)\b/i, instead: "after the slash" },
  { pattern: /, please\.$/i, instead: "the limit alone: Use at most 40 characters." },
];

/** In the texts of dashboard and widget alone: guides may be more formal. */
export const bannedInInterfaces: readonly BannedWords[] = [
  { pattern: /\bplease\b/i, instead: "the request alone: Try again." },
  { pattern: /\bmade\b|\bmake (a|an|the|another)\b/i, instead: "created, create, add" },
  { pattern: /\bchosen\b/i, instead: "selected" },
  { pattern: /\bbeg[iau]ns?\b/i, instead: "start, started" },
  { pattern: /\bprograms?\b/i, instead: "code, API keys, AI agents" },
  {
    pattern: /\b(cannot|(do|does|did|is|are|was|were|will|has|have|could|would) not)\b/i,
    instead: "the contraction: can’t, don’t, isn’t",
  },
  {
    pattern: /\b(it|there|that) is\b|(?<!of )\b(you|we|they) are\b|\bI have\b/i,
    instead: "the contraction: it’s, you’re, I’ve",
  },
  { pattern: /\w'\w/, instead: "the typographic apostrophe: can’t" },
];
