/**
 * Why a site, or a page of one, was not read, by name. The dashboard has a sentence for each; `detail` of a site is what stands in
 * the sentence.
 *
 * - `blocked`: the address is not one of the public internet
 * - `name`: its name has no address
 * - `away`: no connection, no answer in time, or one that broke off
 * - `certificate`: not trusted
 * - `failing`: it answers with an error; the detail of a site is the status
 * - `moved`: it leads to another site; the detail is its address
 * - `robots`: its robots.txt asks not to be read
 * - `large`: more than a page may have
 * - `unreadable`: it is no text in HTML that could be read
 * - `gone`: there is no such page any more
 * - `empty`: no page with a text was found
 * - `many`: it has more pages than are read
 */
export const siteProblems = [
  "blocked",
  "name",
  "away",
  "certificate",
  "failing",
  "moved",
  "robots",
  "large",
  "unreadable",
  "gone",
  "empty",
  "many",
] as const;

export type SiteProblem = (typeof siteProblems)[number];

/** `waiting`: it was never read. `listing`: its pages are looked for. `reading`: they are read. `read`: all done. */
export const siteStates = ["waiting", "listing", "reading", "read"] as const;
export type SiteState = (typeof siteStates)[number];
