/** The run of the built-in AI that is shown: one dialog for the whole thread. */
import { createOpened } from "./opened.ts";

/** A run by its id; or the one that ended with a handoff, by the time of that. */
export type AskedRun = { id: string } | { conversationId: string; handedOverAt: string };

export const [openRun, useOpenedRun] = createOpened<AskedRun>();
