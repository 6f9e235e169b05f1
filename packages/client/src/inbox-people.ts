import type { InboxContext } from "./inbox-context.ts";

/** Fetches the agents, tags and widgets to choose from. Without an answer, the old ones stay. */
export async function refreshPeople({ store, ask }: InboxContext): Promise<void> {
  const answer = await ask("listPeople", {});
  if (!answer.ok) return;
  store.people = answer.body;
  store.changed();
}
