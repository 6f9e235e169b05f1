/**
 * A canned reply with its places filled: `{{contact.first_name|there}}`. What is not known becomes what stands behind the bar,
 * and nothing where nothing does.
 */
export function fillCannedReply(
  content: string,
  {
    contact,
    agent,
    team,
  }: { contact: { name: string | null; email: string | null }; agent: string | null; team: string },
): string {
  const values: Record<string, string | null | undefined> = {
    "contact.name": contact.name,
    "contact.first_name": contact.name?.trim().split(/\s+/)[0],
    "contact.email": contact.email,
    "agent.name": agent,
    "team.name": team,
  };
  return content.replace(
    /\{\{\s*([\w.]+)\s*(?:\|([^}]*))?\}\}/g,
    (place, name: string, fallback: string | undefined) =>
      name in values ? values[name] || (fallback?.trim() ?? "") : place,
  );
}
