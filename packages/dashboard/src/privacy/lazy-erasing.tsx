import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.ts";

/** What an agent is asked about before it is done. */
export type Asked =
  /** `name` is typed to confirm. */
  | { kind: "contact" | "conversation"; id: string; name: string }
  | { kind: "agent"; id: string; name: string }
  | { kind: "message"; id: string }
  | { kind: "hold"; id: string; name: string };

const Dialog = lazyPart(() => import("./erasing-dialogs.tsx"), "ErasingDialog", "erasing");

/** The dialogs that erase, redact and hold: loaded when first needed. */
export function Erasing({
  asked,
  onDone,
  onClose,
}: {
  asked: Asked | undefined;
  onDone?: (asked: Asked) => void;
  onClose(): void;
}) {
  if (!asked) return null;
  return (
    <Suspense>
      <Dialog asked={asked} onDone={() => onDone?.(asked)} onClose={onClose} />
    </Suspense>
  );
}
