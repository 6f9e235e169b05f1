/** The state of a settings item in its URL: it can be linked, and reload and back work. */
const names = ["state", "event", "delivery"] as const;

/** Which deliveries of a webhook are listed, and which one is open. */
export type SettingsSearch = { [Name in (typeof names)[number]]?: string };

export function settingsSearch(given: Record<string, unknown>): SettingsSearch {
  return Object.fromEntries(names.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : [])));
}
