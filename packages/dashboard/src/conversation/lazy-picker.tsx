import type { LiveConversation } from "@frontdesk/core/contract/live";
import { lazy, Suspense } from "react";

export type PickerKind = "assign" | "tag" | "snooze";

const Opened = lazy(() => import("./pickers.tsx").then(({ ConversationPicker }) => ({ default: ConversationPicker })));

/** Who, which tag, until when: loaded when it is first asked for. */
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
