import { useEffect, useRef } from "react";
import { useInboxState } from "../inbox/live-inbox.ts";
import { deselect } from "../inbox/selection.ts";
import { queries } from "../service/queries.ts";
import { t } from "../texts/texts.ts";
import { loadTextsOf } from "../texts/texts-of-screens.ts";
import { showProblem } from "../ui/toast.ts";

/** What was erased leaves everything that this screen keeps; of messages that waited to be sent, the agent is told. */
export function useErased(): void {
  const erased = useInboxState((state) => state.erased);
  const dropped = useInboxState((state) => state.dropped);
  useEffect(() => {
    if (erased.size === 0) return;
    deselect(erased);
    queries.removeQueries({ type: "inactive" });
    void queries.invalidateQueries();
  }, [erased]);
  const droppedBefore = useRef(dropped);
  useEffect(() => {
    const count = dropped - droppedBefore.current;
    droppedBefore.current = dropped;
    if (count > 0) void sayDropped(count);
  }, [dropped]);
}

/** The text is loaded for it: it is rarely needed. */
async function sayDropped(count: number): Promise<void> {
  await loadTextsOf("erasing");
  showProblem(t("erased.unsent", { count }));
}
