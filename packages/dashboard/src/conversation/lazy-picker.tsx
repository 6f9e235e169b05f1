import type { LiveConversation } from "@frontdesk/core/contract/live";
import { lazy, Suspense } from "react";

export type PickerKind = "assign" | "tag" | "snooze";

const Opened = lazy(() => import("./pickers.tsx").then(({ ConversationPicker }) => ({ default: ConversationPicker })));

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
