import type { LiveConversation } from "@frontdesk/core/contract/live";
import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.ts";

export type PickerKind = "assign" | "tag" | "snooze";

const Opened = lazyPart(() => import("./pickers.tsx"), "ConversationPicker");

/** The pickers of agents, tags and snooze times: loaded when first needed. */
export function ConversationPicker(props: {
  kind: PickerKind | undefined;
  conversations: readonly LiveConversation[];
  onClose(): void;
}) {
  if (!props.kind) return null;
  return (
    <Suspense>
      <Opened {...props} />
    </Suspense>
  );
}
