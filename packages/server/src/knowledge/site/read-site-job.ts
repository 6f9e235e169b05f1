import { isSitemap, pageOfSite } from "@frontdesk/core/domain/site-address";
import type { SiteProblem } from "@frontdesk/core/domain/site-problem";
import type { SystemActor } from "../../access/actor.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Perform } from "../../perform.ts";
import type { ArticleSiteRow, SitePageRow } from "../../storage/tables.ts";
import type { DocumentReader } from "../documents/read-in-worker.ts";
import { type FromSite, fetchFromSite, USER_AGENT } from "./fetch-from-site.ts";
import type { HostPace } from "./host-pace.ts";
import {
  beginSiteReading,
  endSiteReading,
  nextSitePage,
  notePagesFound,
  noteSitePage,
  type PageOutcome,
} from "./site-reading.ts";

const SITEMAPS_MAX = 30;
/** As much of a robots.txt as a reader of it has to take (RFC 9309, section 2.5). */
const ROBOTS_MAX_BYTES = 500 * 1_024;
/** The longest wait that a robots.txt can ask for. */
const DELAY_MAX_MS = 10_000;
/** After so many failures in a row the rest is left for the next night. */
const FAILURES_MAX = 5;
const HTML = "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5";

export interface ReadSiteParts {
  perform: () => Perform;
  ask: Outbound["ask"];
  reader: DocumentReader;
  pace: HostPace;
}

/**
 * Reads a site (docs/decisions/0078-article-sources.md):
 *
 * ```
 *  waiting --job--> listing --robots.txt, sitemaps--> reading --page after page, each in a commit--> read
 *   read --by night, or by hand--> waiting              ^  |                                         ^
 *                                    the process died --'  '--- the host fails again and again ------'
 * ```
 * After a crash the pages that are not due any more are not asked for again.
 */
export function readSiteJob(parts: ReadSiteParts): JobHandler<"read-site"> {
  return async ({ siteId }, { teamId, signal }) => {
    const system: SystemActor = { kind: "system", teamId };
    const site = await parts.perform()(system, beginSiteReading, { siteId });
    if (!site) return;
    await new SiteReading(parts, { site, system, signal }).read();
  };
}

interface Rules {
  /** It is asked in the thread of the parsers: a robots.txt can be made so that it takes minutes. */
  mayRead(address: string): Promise<boolean>;
  waitMs: number;
  sitemaps: readonly string[];
}

/** A reading that ends early. */
class Stopped extends Error {
  readonly problem: SiteProblem;
  readonly detail: string | undefined;
  constructor(problem: SiteProblem, detail?: string) {
    super(problem);
    this.problem = problem;
    this.detail = detail;
  }
}

class SiteReading {
  readonly #parts: ReadSiteParts;
  readonly #site: ArticleSiteRow;
  readonly #system: SystemActor;
  readonly #signal: AbortSignal;
  #waitMs = 0;

  constructor(
    parts: ReadSiteParts,
    { site, system, signal }: { site: ArticleSiteRow; system: SystemActor; signal: AbortSignal },
  ) {
    this.#parts = parts;
    this.#site = site;
    this.#system = system;
    this.#signal = signal;
  }

  async read(): Promise<void> {
    const { id: siteId, state } = this.#site;
    const perform = this.#parts.perform();
    const stopped = await this.#readAll(state === "listing").catch((error) => {
      if (error instanceof Stopped) return error;
      throw error;
    });
    const { problem, detail } = stopped ?? {};
    const why = { ...(problem && { problem }), ...(detail && { detail }) };
    await perform(this.#system, endSiteReading, { siteId, ...why });
  }

  async #readAll(isNew: boolean): Promise<undefined> {
    const { id: siteId } = this.#site;
    const perform = this.#parts.perform();
    const rules = await this.#readRules();
    this.#waitMs = rules.waitMs;
    if (isNew) await perform(this.#system, notePagesFound, { siteId, links: await this.#listPages(rules) });
    let failures = 0;
    for (;;) {
      const page = await perform(this.#system, nextSitePage, { siteId });
      if (!page) return undefined;
      const { outcome, status } = await this.#readPage(page, rules);
      await perform(this.#system, noteSitePage, { siteId, place: page.place, outcome });
      const failed = outcome.kind === "trouble" && outcome.problem !== "large" && outcome.problem !== "unreadable";
      failures = failed ? failures + 1 : 0;
      if (failures === FAILURES_MAX && outcome.kind === "trouble") throw new Stopped(outcome.problem, status);
    }
  }

  /** Without a robots.txt everything may be read; while it is not known, nothing (RFC 9309, section 2.3.1). */
  async #readRules(): Promise<Rules> {
    const address = new URL("/robots.txt", this.#site.prefix).href;
    const got = await this.#get(address, "text/plain", { cutAllowed: true });
    if (got.kind === "failed") throw new Stopped(got.problem);
    if (got.kind === "status" && got.status >= 500) throw new Stopped("failing", String(got.status));
    const bytes = got.kind === "content" ? got.bytes.subarray(0, ROBOTS_MAX_BYTES) : Buffer.alloc(0);
    const about = async (pages: readonly string[]) => {
      const read = await this.#parts.reader.read<"robots">({
        kind: "robots",
        bytes,
        address,
        agent: USER_AGENT,
        pages,
      });
      if (!("result" in read)) throw new Stopped("unreadable");
      return read.result;
    };
    const { delay, sitemaps } = await about([]);
    const mayRead = async (page: string) => (await about([page])).mayRead[0] === true;
    return { mayRead, waitMs: Math.min(delay * 1_000, DELAY_MAX_MS), sitemaps };
  }

  /** What the sitemaps list, and the page where reading begins. */
  async #listPages({ sitemaps, mayRead }: Rules): Promise<string[]> {
    const { address, prefix } = this.#site;
    const { origin } = new URL(prefix);
    const isOwn = (sitemap: string) => URL.parse(sitemap)?.origin === origin;
    const queue = isSitemap(address) ? [address] : [...sitemaps.filter(isOwn), `${origin}/sitemap.xml`];
    const pages = isSitemap(address) ? [prefix] : [address];
    const asked = new Set<string>();
    for (let next = queue.shift(); next && asked.size < SITEMAPS_MAX; next = queue.shift()) {
      if (asked.has(next)) continue;
      asked.add(next);
      if (!(await mayRead(next))) continue;
      const got = await this.#get(next, "application/xml,text/xml", { cutAllowed: true });
      if (got.kind !== "content") continue;
      const read = await this.#parts.reader.read<"sitemap">({ kind: "sitemap", bytes: got.bytes });
      if (!("result" in read)) continue;
      pages.push(...read.result.pages);
      queue.push(...read.result.sitemaps.filter(isOwn));
    }
    return pages;
  }

  /** `status`: of an answer that is an error. */
  async #readPage(page: SitePageRow, { mayRead }: Rules): Promise<{ outcome: PageOutcome; status?: string }> {
    const { address } = page;
    if (!(await mayRead(address))) {
      if (address === this.#site.address) throw new Stopped("robots");
      return { outcome: { kind: "gone" } };
    }
    const { etag, last_modified: lastModified } = page;
    const got = await this.#get(address, HTML, { etag, lastModified });
    switch (got.kind) {
      case "content":
        return { outcome: await this.#readContent(address, got) };
      case "unchanged":
        return { outcome: { kind: "unchanged" } };
      case "failed":
        return { outcome: { kind: "trouble", problem: got.problem } };
      case "moved": {
        const movedTo = pageOfSite(got.to, { prefix: this.#site.prefix, base: address });
        // Where reading begins, it is most likely a site that has another name.
        if (!movedTo && address === this.#site.address) throw new Stopped("moved", new URL(got.to).origin);
        return { outcome: { kind: "gone", ...(movedTo && { movedTo }) } };
      }
      case "status": {
        const isTrouble = got.status >= 500 || got.status === 429 || got.status === 403 || got.status === 401;
        const outcome: PageOutcome = isTrouble ? { kind: "trouble", problem: "failing" } : { kind: "gone" };
        return { outcome, status: String(got.status) };
      }
      default:
        return got satisfies never;
    }
  }

  async #readContent(address: string, got: Extract<FromSite, { kind: "content" }>): Promise<PageOutcome> {
    const { bytes, type, charset, etag, lastModified } = got;
    if (type === "text/plain") {
      const page = { title: new URL(address).pathname, markdown: bytes.toString("utf8"), links: [] };
      return { kind: "read", page, etag, lastModified };
    }
    if (type !== "text/html" && type !== "application/xhtml+xml") return { kind: "gone" };
    const read = await this.#parts.reader.read<"page">({ kind: "page", bytes, address, charset });
    if (!("result" in read)) return { kind: "trouble", problem: "unreadable" };
    return { kind: "read", page: read.result, etag, lastModified };
  }

  async #get(
    address: string,
    accept: string,
    options: { etag?: string | null; lastModified?: string | null; cutAllowed?: boolean },
  ): Promise<FromSite> {
    const signal = this.#signal;
    await this.#parts.pace.turn(new URL(address).host, { waitMs: this.#waitMs, signal });
    return fetchFromSite(this.#parts.ask, { address, accept, signal, ...options });
  }
}
