import { type Refusal, rateLimited, unavailable } from "@frontdesk/core/domain/refusal";
import { addressBlock, widerNetwork } from "./address-block.ts";
import type { Limits, Take, Verdict, WindowGroup, WindowRule } from "./rate-limiter.ts";

const SECOND_MS = 1_000;
const KB = 1_024;
const MB = 1_024 * KB;

/** The spans in which something is counted. */
export const spans = { minute: 60 * SECOND_MS, "15 minutes": 900 * SECOND_MS, hour: 3_600 * SECOND_MS } as const;

/**
 * What a bound is counted by. `address`: an IPv4 address or the /64 of an IPv6 one. `network`: the /48 of an IPv6 address; IPv4
 * has none. `token`: of a visitor whose session is known, since any program can invent tokens. `team`: all of its visitors
 * together. `mailbox`: an e-mail address.
 */
export type CountedBy = "address" | "network" | "token" | "team" | "mailbox";

export interface Bound {
  readonly by: CountedBy;
  /** In bytes where the act has a `unit`. */
  readonly limit: number;
  /** `at once`: open at the same time; each process counts its own. */
  readonly per: keyof typeof spans | "at once";
  /** 429: this sender has to wait. 503: others have used up the bound; this sender has done nothing wrong. */
  readonly answer: 429 | 503;
  /** Never less than one file of UPLOAD_MAX_MB. */
  readonly fitsOneFile?: true;
}

export interface BoundedAct {
  /** In the words of the documents. */
  readonly what: string;
  /** Where it is counted. */
  readonly where: string;
  /** Bytes are counted in steps of this many. */
  readonly unit?: number;
  /** VISITOR_BOUNDS_FACTOR does not raise it. */
  readonly fixed?: true;
  readonly bounds: readonly Bound[];
}

/**
 * Everything that visitors may consume. The measure is an office behind one address: 60 people who chat at the same time (four
 * messages a minute, ten pages a minute, a picture now and then) stay below each bound by address. A network may use five times
 * what one of its addresses may; a team's bounds are what a disk endures for hours: 36,000 messages and 64 MB of text are about
 * 500 MB of database.
 *
 * SECURITY.md and docs/guide/settings.md show this table; `npm run reference` writes it there.
 */
export const strangerBounds = {
  requests: {
    what: "Widget requests",
    where: "`/visitor/…`",
    bounds: [
      // A person who types, reads and uploads makes ten.
      { by: "token", limit: 120, per: "minute", answer: 429 },
      { by: "address", limit: 1_800, per: "minute", answer: 429 },
      { by: "network", limit: 9_000, per: "minute", answer: 429 },
    ],
  },
  "unknown-tokens": {
    what: "Requests and streams with an unknown token, including all that get 401",
    where: "`/visitor/…`, `/live`",
    bounds: [
      // Each page that identifies its visitor does so once before the first message: 60 people, ten pages a minute.
      { by: "address", limit: 600, per: "minute", answer: 429 },
      { by: "network", limit: 3_000, per: "minute", answer: 429 },
    ],
  },
  messages: {
    what: "Messages",
    where: "`POST /visitor/…/messages`",
    bounds: [
      { by: "token", limit: 60, per: "minute", answer: 429 },
      { by: "address", limit: 300, per: "minute", answer: 429 },
      { by: "address", limit: 6_000, per: "hour", answer: 429 },
      { by: "network", limit: 1_500, per: "minute", answer: 429 },
      { by: "team", limit: 36_000, per: "hour", answer: 503 },
    ],
  },
  "written-bytes": {
    what: "Bytes of messages, ratings and identifications",
    where: "bodies of `POST /visitor/…`",
    unit: 512,
    bounds: [
      // The longest message in the widest script is 40 kB; one byte of text takes some six on the disk (index, event, page).
      { by: "token", limit: 128 * KB, per: "minute", answer: 429 },
      { by: "address", limit: 256 * KB, per: "minute", answer: 429 },
      { by: "address", limit: 6 * MB, per: "hour", answer: 429 },
      { by: "network", limit: 1_280 * KB, per: "minute", answer: 429 },
      { by: "team", limit: 64 * MB, per: "hour", answer: 503 },
    ],
  },
  "new-visitors": {
    what: "Visitors who send their first message or are identified for the first time",
    where: "`POST /visitor/…/messages`, `…/introduce`",
    bounds: [
      { by: "address", limit: 30, per: "minute", answer: 429 },
      { by: "address", limit: 600, per: "hour", answer: 429 },
      { by: "network", limit: 150, per: "minute", answer: 429 },
      { by: "team", limit: 3_600, per: "hour", answer: 503 },
    ],
  },
  uploads: {
    what: "Files",
    where: "`POST /visitor/…/files`",
    bounds: [
      { by: "token", limit: 30, per: "minute", answer: 429 },
      { by: "address", limit: 120, per: "minute", answer: 429 },
      { by: "network", limit: 600, per: "minute", answer: 429 },
      // A message has nine files, and a browser sends them in parallel.
      { by: "token", limit: 10, per: "at once", answer: 429 },
      { by: "address", limit: 30, per: "at once", answer: 429 },
      { by: "network", limit: 150, per: "at once", answer: 429 },
      { by: "team", limit: 200, per: "at once", answer: 503 },
    ],
  },
  "file-bytes": {
    what: "Bytes of files, as they are uploaded",
    where: "`POST /visitor/…/files`",
    unit: 256 * KB,
    bounds: [
      // Twelve pictures of a phone a minute, or one of the largest files.
      { by: "address", limit: 25 * MB, per: "minute", answer: 429, fitsOneFile: true },
      { by: "address", limit: 1_000 * MB, per: "hour", answer: 429, fitsOneFile: true },
      { by: "network", limit: 125 * MB, per: "minute", answer: 429, fitsOneFile: true },
      { by: "team", limit: 4_000 * MB, per: "hour", answer: 503, fitsOneFile: true },
    ],
  },
  "unread-bytes": {
    what: "Bytes of refused bodies that are still read, so that the sender gets the reason; beyond the limit the connection is closed",
    where: "`POST /visitor/…`",
    unit: 64 * KB,
    bounds: [
      // One large file that was refused; browsers read no answer before they have sent all of it.
      { by: "address", limit: 25 * MB, per: "minute", answer: 429, fitsOneFile: true },
      { by: "network", limit: 125 * MB, per: "minute", answer: 429, fitsOneFile: true },
    ],
  },
  articles: {
    what: "Articles searched or read in the widget",
    where: "`GET /visitor/…/articles`",
    bounds: [
      // A first message that is typed slowly makes ten searches.
      { by: "address", limit: 200, per: "minute", answer: 429 },
      { by: "network", limit: 1_000, per: "minute", answer: 429 },
      // A search costs some 20 ms: at most a third of a core for the visitors of a team.
      { by: "team", limit: 1_200, per: "minute", answer: 503 },
    ],
  },
  streams: {
    what: "Live streams",
    where: "`/live`, `/live/events`",
    bounds: [
      { by: "token", limit: 20, per: "at once", answer: 429 },
      // The tabs of a browser share one stream: 60 people with a stream on five devices each.
      { by: "address", limit: 300, per: "at once", answer: 429 },
      { by: "network", limit: 1_500, per: "at once", answer: 429 },
      { by: "team", limit: 10_000, per: "at once", answer: 503 },
    ],
  },
  connections: {
    what: "WebSocket requests, refused before the connection is established",
    where: "`/live`",
    bounds: [
      // Twice as many as hellos: only a client that ignores every close reaches it, and each costs more than its refusal.
      { by: "address", limit: 1_200, per: "minute", answer: 429 },
      { by: "network", limit: 6_000, per: "minute", answer: 429 },
    ],
  },
  hellos: {
    what: "Live streams opened",
    where: "`/live`, `/live/events`",
    bounds: [
      // A browser on a train reconnects every few seconds, and one without locks does so in each of its tabs.
      { by: "token", limit: 60, per: "minute", answer: 429 },
      // All streams of an address reconnect twice a minute.
      { by: "address", limit: 600, per: "minute", answer: 429 },
      { by: "network", limit: 3_000, per: "minute", answer: 429 },
    ],
  },
  replays: {
    what: "Streams and polls that replay earlier events (`since`); over the limit they start over (`reset`)",
    where: "`/live`, `/live/events`, `/live/poll`",
    bounds: [
      { by: "token", limit: 20, per: "minute", answer: 429 },
      { by: "address", limit: 300, per: "minute", answer: 429 },
      { by: "network", limit: 1_500, per: "minute", answer: 429 },
    ],
  },
  polls: {
    what: "Polls, where no stream can connect",
    where: "`/live/poll`",
    bounds: [
      // One each half second, for a client that has much to catch up with.
      { by: "token", limit: 120, per: "minute", answer: 429 },
      { by: "address", limit: 1_800, per: "minute", answer: 429 },
      { by: "network", limit: 9_000, per: "minute", answer: 429 },
    ],
  },
  "page-frames": {
    what: "Page views reported by a stream",
    where: "`page` frames of `/live`",
    bounds: [
      { by: "token", limit: 60, per: "minute", answer: 429 },
      { by: "address", limit: 1_200, per: "minute", answer: 429 },
      { by: "network", limit: 6_000, per: "minute", answer: 429 },
    ],
  },
  "typing-frames": {
    what: "Frames that report that a visitor is typing or has stopped",
    where: "`typing` frames of `/live`",
    bounds: [
      { by: "token", limit: 180, per: "minute", answer: 429 },
      { by: "address", limit: 3_600, per: "minute", answer: 429 },
      { by: "network", limit: 18_000, per: "minute", answer: 429 },
    ],
  },
  "widget-pages": {
    what: "Loads of the widget and its pages",
    where: "`/widget.js`, `/widget-assets/…`, `/frame/…`, `/demo/…`",
    bounds: [
      { by: "address", limit: 1_800, per: "minute", answer: 429 },
      { by: "network", limit: 9_000, per: "minute", answer: 429 },
    ],
  },
  "inbound-mails": {
    what: "Mails that are posted to callback addresses of mailboxes",
    where: "`POST /inbound/email/…`",
    bounds: [
      // Never 429: providers drop a mail for good that is refused with 4xx, and send it again after a 5xx.
      { by: "address", limit: 30, per: "at once", answer: 503 },
      { by: "network", limit: 60, per: "at once", answer: 503 },
      { by: "team", limit: 90, per: "at once", answer: 503 },
    ],
  },
  "unknown-callbacks": {
    what: "Requests to callback addresses that do not exist",
    where: "`/inbound/…`",
    fixed: true,
    bounds: [
      { by: "address", limit: 60, per: "minute", answer: 429 },
      { by: "network", limit: 300, per: "minute", answer: 429 },
    ],
  },
  // Counted in the database by `conversations/visitor-mail-bound.ts`, so that it holds over restarts.
  mails: {
    what: "Emails with replies to an unverified address",
    where: "mail to visitors who left",
    fixed: true,
    bounds: [{ by: "mailbox", limit: 3, per: "hour", answer: 429 }],
  },
  "data-requests": {
    what: "Requests of visitors for their data, and what they do with the link that is mailed",
    where: "`/my-data/…`",
    fixed: true,
    bounds: [
      { by: "address", limit: 30, per: "minute", answer: 429 },
      { by: "network", limit: 150, per: "minute", answer: 429 },
      { by: "team", limit: 600, per: "hour", answer: 503 },
      { by: "mailbox", limit: 3, per: "hour", answer: 429 },
    ],
  },
  "wrong-keys": {
    what: "Invalid keys and tokens",
    where: "`/api/v1`, `/mcp`, `/tools`, `/live`",
    fixed: true,
    bounds: [
      { by: "address", limit: 60, per: "minute", answer: 429 },
      { by: "network", limit: 300, per: "minute", answer: 429 },
    ],
  },
  "app-requests": {
    what: "Requests of apps that connect by OAuth, and their tokens that have ended or are unknown",
    where: "`/oauth/…`, `/mcp`",
    fixed: true,
    bounds: [
      // All users of a hosted app come from a few addresses.
      { by: "address", limit: 1_800, per: "minute", answer: 429 },
      { by: "network", limit: 9_000, per: "minute", answer: 429 },
    ],
  },
  "client-documents": {
    what: "Documents of apps that are fetched; those that were fetched lately don't count",
    where: "`/oauth/authorize`, `/app/api/connect`",
    fixed: true,
    bounds: [
      { by: "address", limit: 60, per: "minute", answer: 429 },
      { by: "network", limit: 300, per: "minute", answer: 429 },
    ],
  },
  "sign-ins": {
    what: "Attempts to sign in, confirm who one is, change a password or reset a password",
    where: "`/app/api/sign-in`, `…/session/verify`, `…/sso/link`, `…/me/password`, `…/password-reset`",
    fixed: true,
    bounds: [
      { by: "address", limit: 10, per: "minute", answer: 429 },
      { by: "network", limit: 50, per: "minute", answer: 429 },
      { by: "mailbox", limit: 10, per: "15 minutes", answer: 429 },
    ],
  },
  "second-steps": {
    what: "Second steps of a sign-in, and sign-ins with a passkey",
    where: "`/app/api/sign-in/second-step`, `…/sign-in/passkey`",
    fixed: true,
    bounds: [
      // An office signs in at the same time; wrong codes are counted for their agent as well.
      { by: "address", limit: 20, per: "minute", answer: 429 },
      { by: "network", limit: 100, per: "minute", answer: 429 },
    ],
  },
  "sso-sign-ins": {
    what: "Beginnings and ends of sign-ins by single sign-on",
    where: "`/app/api/sso/begin`, `…/sso/end`",
    fixed: true,
    bounds: [
      // Two for each person: a whole office signs in within minutes.
      { by: "address", limit: 60, per: "minute", answer: 429 },
      { by: "network", limit: 300, per: "minute", answer: 429 },
    ],
  },
  "sso-logouts": {
    what: "Logouts that a provider of single sign-on reports",
    where: "`/sso/…/logout`",
    fixed: true,
    bounds: [
      { by: "address", limit: 600, per: "minute", answer: 429 },
      { by: "network", limit: 3_000, per: "minute", answer: 429 },
    ],
  },
  "password-resets": {
    what: "Password reset links",
    where: "`/app/api/password-reset`",
    fixed: true,
    bounds: [{ by: "mailbox", limit: 3, per: "hour", answer: 429 }],
  },
} as const satisfies Record<string, BoundedAct>;

export type StrangerAct = keyof typeof strangerBounds;

/** The sender. Fields left out are not counted by. */
export interface Stranger {
  /** The value of `request.ip`. */
  address?: string | undefined;
  /** The hash of a visitor's token, once its session is known. */
  token?: string | undefined;
  team?: string | undefined;
  /** A hash of an e-mail address: Redis need not know it. */
  mailbox?: string | undefined;
}

/** How much of each act is requested: requests, or bytes where the act has a unit. */
export type Amounts = { readonly [Act in StrangerAct]?: number };

export interface StrangerBounds {
  /**
   * Counts the acts by all of their bounds, or nothing at all. More than a bound counts as all of it, so that it passes when
   * nothing else was counted.
   *
   * @throws Refusal `rate-limited`, or `unavailable` when only bounds that others have used up prevent it; both with the
   *   seconds after which the same passes
   */
  take(stranger: Stranger, amounts: Amounts): Promise<void>;
  /**
   * Counts nothing.
   *
   * @throws Refusal where `take` would
   */
  look(stranger: Stranger, amounts: Amounts): Promise<void>;
  /**
   * Takes a slot of what may be open at once; counted in this process, not in Redis.
   *
   * @returns releases the slot; more than one call does nothing
   * @throws Refusal as `take`; when a slot becomes free is not known, so its seconds are a guess
   */
  enter(stranger: Stranger, act: StrangerAct): () => void;
}

/** Keys of one bound that are counted separately; about 4 MB. */
const MAX_KEYS = 10_000;
/** A window is stored in this many steps: at most 2 kB a key, whatever the limit is. */
const GRAINS = 60;
/** After this long a slot may be free: a guess. */
const SLOT_RETRY_SECONDS = 5;

interface KnownBound extends Bound {
  /** The index of its window; undefined for what is open at once. */
  window: number | undefined;
  /** In steps of the act's unit. */
  steps: number;
}

/**
 * @param factor multiplies every bound that is not `fixed` (VISITOR_BOUNDS_FACTOR)
 * @param uploadMaxBytes the largest accepted file
 */
export function createStrangerBounds({
  limits,
  factor,
  uploadMaxBytes,
}: {
  limits: Pick<Limits, "group">;
  factor: number;
  uploadMaxBytes: number;
}): StrangerBounds {
  const rules: WindowRule[] = [];
  const known = new Map<string, KnownBound[]>();
  for (const [act, { bounds, unit = 1, fixed }] of Object.entries<BoundedAct>(strangerBounds)) {
    known.set(
      act,
      bounds.map((bound) => addBound(act, unit, fixed ? 1 : factor, bound)),
    );
  }
  const windows = limits.group(rules);
  const inUse = new Map<string, number>();

  return {
    take: (stranger, amounts) => ask(stranger, amounts, windows.take),
    look: (stranger, amounts) => ask(stranger, amounts, windows.look),

    enter(stranger, act) {
      const taken: string[] = [];
      const full: Bound[] = [];
      for (const bound of boundsOf(act)) {
        const key = keyOf(stranger, bound.by);
        if (bound.per !== "at once" || key === undefined) continue;
        const counter = `${act}:${bound.by}:${key}`;
        if ((inUse.get(counter) ?? 0) >= bound.steps) full.push(bound);
        else taken.push(counter);
      }
      if (full.length > 0) throw refusalOf(full, SLOT_RETRY_SECONDS);
      for (const counter of taken) inUse.set(counter, (inUse.get(counter) ?? 0) + 1);
      return () => {
        for (const counter of taken.splice(0)) {
          const left = (inUse.get(counter) ?? 1) - 1;
          if (left > 0) inUse.set(counter, left);
          else inUse.delete(counter);
        }
      };
    },
  };

  async function ask(stranger: Stranger, amounts: Amounts, verdictsOf: WindowGroup["take"]): Promise<void> {
    const asked: { take: Take; bound: KnownBound }[] = [];
    for (const [act, amount] of Object.entries(amounts)) {
      const { unit = 1 }: BoundedAct = strangerBounds[act as StrangerAct];
      for (const bound of boundsOf(act)) {
        const key = keyOf(stranger, bound.by);
        if (bound.window === undefined || key === undefined) continue;
        const steps = Math.min(bound.steps, Math.ceil(amount / unit));
        if (steps > 0) asked.push({ take: { window: bound.window, key, amount: steps }, bound });
      }
    }
    if (asked.length === 0) return;
    const verdicts = await verdictsOf(asked.map(({ take }) => take));
    refuseAny(asked.map(({ bound }, index) => ({ bound, verdict: verdicts[index] as Verdict })));
  }

  function addBound(act: string, unit: number, times: number, bound: Bound): KnownBound {
    const { by, per, limit, fitsOneFile } = bound;
    const steps = Math.ceil(Math.max(limit * times, fitsOneFile ? uploadMaxBytes : 0) / unit);
    if (per === "at once") return { ...bound, steps, window: undefined };
    const windowMs = spans[per];
    rules.push({
      name: `${act}:${by}:${per.replaceAll(" ", "-")}`,
      limit: steps,
      windowMs,
      grainMs: windowMs / GRAINS,
      // Teams are ours: visitors bring no new ones.
      ...(by !== "team" && { maxKeys: MAX_KEYS }),
    });
    return { ...bound, steps, window: rules.length - 1 };
  }

  function boundsOf(act: string): KnownBound[] {
    const bounds = known.get(act);
    if (!bounds) throw new Error(`Nothing bounds ${act}.`);
    return bounds;
  }
}

function keyOf(stranger: Stranger, by: CountedBy): string | undefined {
  switch (by) {
    case "address":
      return "address" in stranger ? addressBlock(stranger.address) : undefined;
    case "network":
      return widerNetwork(stranger.address);
    case "token":
      return stranger.token;
    case "team":
      return stranger.team;
    case "mailbox":
      return stranger.mailbox;
    default:
      return by satisfies never;
  }
}

function refuseAny(rows: readonly { bound: Bound; verdict: Verdict }[]): void {
  const refused = rows.filter(({ verdict }) => !verdict.allowed);
  if (refused.length === 0) return;
  const seconds = Math.max(...refused.map(({ verdict }) => verdict.retryAfterSeconds));
  throw refusalOf(
    refused.map(({ bound }) => bound),
    seconds,
  );
}

/** A sender who has reached their own bound gets that refusal, and waits for all. */
function refusalOf(bounds: readonly Bound[], retryAfterSeconds: number): Refusal {
  if (bounds.some(({ answer }) => answer === 429)) return rateLimited(retryAfterSeconds);
  return unavailable(retryAfterSeconds, "team-busy");
}
