import { t } from "../../texts/texts.ts";

/** A user agent, shortened to browser and system. */
export function browserName(agent: string | null): string {
  if (!agent) return t("browser");
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/[\d]+/.exec(agent)?.[0].replace("/", " ").replace("Edg", "Edge");
  const system = /(Windows|Macintosh|Android|iPhone|iPad|Linux)/.exec(agent)?.[0].replace("Macintosh", "macOS");
  return [browser, system].filter(Boolean).join(", ") || agent;
}
