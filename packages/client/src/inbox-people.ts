import type { InboxContext } from "./inbox-context.ts";

/** Fetches the people, tags and widgets to choose from. Without an answer, those that are there stay. */
export async function refreshPeople({ store, ask }: InboxContext): Promise<void> {
  const answer = await ask("listPeople", {});
  if (!answer.ok) return;
  store.people = answer.body;
  store.changed();
}
