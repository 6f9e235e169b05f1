import robots from "robots-parser";

/** Its types say that it exports a default; it is the module itself. */
const rulesOf = robots as unknown as typeof robots.default;

export interface RobotsRules {
  /** Of each address that was asked about, in their order. */
  mayRead: boolean[];
  /** The wait between two requests that it asks for, in seconds. */
  delay: number;
  sitemaps: string[];
}

/** @param asked.address of the robots.txt itself; `agent`: as it names us */
export function readRobots(
  text: string,
  { address, agent, pages }: { address: string; agent: string; pages: readonly string[] },
): RobotsRules {
  const rules = rulesOf(address, text);
  return {
    mayRead: pages.map((page) => rules.isAllowed(page, agent) !== false),
    delay: rules.getCrawlDelay(agent) ?? 0,
    sitemaps: rules.getSitemaps(),
  };
}
