import { Suspense, useEffect } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import { openRun, useOpenedRun } from "./opened-run.ts";

const RunView = lazyPart(() => import("./run-view.tsx"), "RunView", "runs");

/** Shows a run of the built-in AI: loaded when first needed. */
export function RunLayer() {
  const asked = useOpenedRun();
  // Closed when another conversation is opened.
  useEffect(() => () => openRun(undefined), []);
  if (!asked) return null;
  return (
    <Suspense>
      <RunView asked={asked} onClose={() => openRun(undefined)} />
    </Suspense>
  );
}
