import { type CannedPlaceholder, fillPlaceholders } from "@frontdesk/core/domain/canned-placeholders";
import { literalPattern } from "@frontdesk/core/domain/literal-pattern";

/** The agent and the contact whose values fill a canned reply. */
export interface CannedFor {
  contact: { name: string | null; email: string | null };
  agent: string | null;
  team: string;
}

/**
 * Fills the placeholders of a canned reply: `{{contact.first_name|there}}`. A missing value becomes the text after the bar, or
 * nothing.
 */
export function fillCannedReply(content: string, about: CannedFor): string {
  return fillPlaceholders(content, valuesOf(about));
}

/** Replaces this conversation's names in a reply by placeholders: the whole name before a part of it. */
export function withPlaceholders(content: string, about: CannedFor): string {
  const known = Object.entries(valuesOf(about)).filter(([, value]) => value !== undefined && value !== null);
  const byLength = (known as [string, string][]).filter(([, value]) => value.trim().length > 1);
  byLength.sort(([, one], [, other]) => other.length - one.length);
  return byLength.reduce((text, [name, value]) => {
    const word = new RegExp(`(?<![\\p{L}\\p{N}{.|])${literalPattern(value)}(?![\\p{L}\\p{N}])`, "gu");
    return text.replace(word, `{{${name}}}`);
  }, content);
}

function valuesOf({ contact, agent, team }: CannedFor): Record<CannedPlaceholder, string | null | undefined> {
  return {
    "contact.name": contact.name,
    "contact.first_name": contact.name?.trim().split(/\s+/)[0],
    "contact.email": contact.email,
    "agent.name": agent,
    "team.name": team,
  };
}
