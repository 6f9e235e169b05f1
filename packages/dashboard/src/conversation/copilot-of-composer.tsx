import type { LiveMessage } from "@frontdesk/core/contract/live";
import { type ReactNode, Suspense } from "react";
import { useMe } from "../service/me.ts";
import { isShortcutPress } from "../shell/shortcut-keys.ts";
import { language } from "../texts/texts.ts";
import { IS_APPLE } from "../ui/keys.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import type { Mode } from "./composer.tsx";
import { useCopilot } from "./use-copilot.ts";

const CopilotBar = lazyPart(() => import("./copilot-bar.tsx"), "CopilotBar", "copilot");
const CopilotMenu = lazyPart(() => import("./copilot-menu.tsx"), "CopilotMenu", "copilot");

/** The copilot as the composer of a conversation shows it. */
export interface CopilotOfComposer {
  /** A part of the reply is the copilot's. */
  wasUsed: boolean;
  /** Undefined without a model. */
  menu: ReactNode;
  /** Above the field, while there is something of the copilot in it. */
  bar: ReactNode;
  /** Stops it; undefined when it is not writing. */
  onEscape: (() => void) | undefined;
  /** Whether the key is one of the copilot's. */
  onShortcut(event: KeyboardEvent): boolean;
  /** Whether the reply was a wish, `/ai ask for the order number`, which the copilot fulfils instead of sending it. */
  takesWish(): boolean;
  /** The field is empty again. */
  forget(): void;
}

export function useCopilotOf(
  id: string,
  {
    mode,
    text,
    set,
    messages,
  }: { mode: Mode; text: string; set(text: string): void; messages: readonly LiveMessage[] | undefined },
): CopilotOfComposer {
  const { copilot: hasModel } = useMe();
  const copilot = useCopilot(id, { text, set, messages });
  const { isWriting, draft, ask, stop, undo, forget } = copilot;
  const draftReply = (instruction?: string) =>
    ask({ does: "draft", conversationId: id, ...(instruction !== undefined && { instruction }) });
  return {
    wasUsed: draft !== undefined,
    menu: hasModel && (
      <Suspense>
        <CopilotMenu
          mode={mode}
          hasText={text.trim() !== ""}
          onDraft={() => draftReply()}
          onSummary={() => ask({ does: "summary", conversationId: id, language })}
          onRewrite={(how, tag) => ask({ does: "rewrite", text, how, ...(tag !== undefined && { language: tag }) })}
        />
      </Suspense>
    ),
    bar: (isWriting || draft) && (
      <Suspense>
        <CopilotBar copilot={copilot} text={text} />
      </Suspense>
    ),
    onEscape: isWriting ? stop : undefined,
    onShortcut(event) {
      if (!hasModel) return false;
      if (mode === "reply" && isShortcutPress(event, "$mod+J", IS_APPLE)) {
        draftReply();
        return true;
      }
      const isAsWritten = draft !== undefined && text === draft.written;
      if (!isAsWritten || !isShortcutPress(event, "$mod+Z", IS_APPLE)) return false;
      undo();
      return true;
    },
    takesWish() {
      const wish = mode === "reply" && hasModel ? /^\/ai\s+(\S.*)$/s.exec(text.trim())?.[1] : undefined;
      if (wish) draftReply(wish);
      return wish !== undefined;
    },
    forget,
  };
}
