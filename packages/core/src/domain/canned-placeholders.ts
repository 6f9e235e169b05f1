/** What a canned reply may leave open: `{{contact.first_name|there}}` becomes the value, or the text after the bar without one. */
export const cannedPlaceholders = [
  "contact.name",
  "contact.first_name",
  "contact.email",
  "agent.name",
  "team.name",
] as const;
export type CannedPlaceholder = (typeof cannedPlaceholders)[number];

/** Anything in double braces, so that a misspelt name is found as well. */
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** Fills the placeholders; unknown ones stay as they are. */
export function fillPlaceholders(
  content: string,
  values: Readonly<Record<CannedPlaceholder, string | null | undefined>>,
): string {
  return content.replace(PLACEHOLDER, (placeholder, given: string, fallback: string | undefined) => {
    const name = given.trim();
    return isKnown(name) ? values[name] || (fallback?.trim() ?? "") : placeholder;
  });
}

/** The first placeholder that is never filled, as it is written; undefined when all are known. */
export function unknownPlaceholder(content: string): string | undefined {
  for (const [placeholder, name = ""] of content.matchAll(PLACEHOLDER)) if (!isKnown(name.trim())) return placeholder;
  return undefined;
}

const isKnown = (name: string): name is CannedPlaceholder => (cannedPlaceholders as readonly string[]).includes(name);
