/** What has made a held reply a draft again, where the agent should look at it before it is sent: an email came in. */
export const draftReturnedBy = ["email"] as const;
export type DraftReturnedBy = (typeof draftReturnedBy)[number];

/**
 * The draft after a reply was not sent: its text comes before what was begun meanwhile. A repeat changes nothing.
 *
 * @param begun the draft so far; empty when there is none
 */
export function draftWithUnsent(content: string, begun: string): string {
  if (begun === "" || content === "") return content || begun;
  return begun.startsWith(content) ? begun : `${content}\n\n${begun}`;
}
