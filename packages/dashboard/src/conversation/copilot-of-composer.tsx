import type { LiveConversation, LiveMessage } from "@frontdesk/core/contract/live";
import { type ReactNode, Suspense } from "react";
import { useMe } from "../service/me.ts";
import { isShortcutPress } from "../shell/shortcut-keys.ts";
import { language } from "../texts/texts.ts";
import { IS_APPLE } from "../ui/keys.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import type { Mode } from "./composer.tsx";
import { awaitedIn } from "./ghost-texts.ts";
import { useCopilot } from "./use-copilot.ts";
import { useGhostText } from "./use-ghost-text.ts";

const CopilotBar = lazyPart(() => import("./copilot-bar.tsx"), "CopilotBar", "copilot");
const CopilotMenu = lazyPart(() => import("./copilot-menu.tsx"), "CopilotMenu", "copilot");
const GhostLine = lazyPart(() => import("./ghost-line.tsx"), "GhostLine", "copilot");

/** The copilot as the composer of a conversation shows it. */
export interface CopilotOfComposer {
  /** A part of the reply is the copilot's. */
  wasUsed: boolean;
  /** Undefined without a model. */
  menu: ReactNode;
  /** Above the field, while there is something of the copilot in it, or suggested for it. */
  bar: ReactNode;
  /** The reply suggested in the empty field. */
  ghost: string | undefined;
  /** Stops it, or drops what it suggests; undefined when it does neither. */
  onEscape: (() => void) | undefined;
  /** Whether the key is one of the copilot's. */
  onShortcut(event: KeyboardEvent): boolean;
  /** Whether the reply was a wish, `/ai ask for the order number`, or `/ai` alone: the copilot fulfils it, and it is not sent. */
  takesWish(): boolean;
  /** The field is empty again. */
  forget(): void;
}

export function useCopilotOf(
  { id, speaker, is_resolved }: LiveConversation,
  {
    mode,
    text,
    set,
    messages,
    hasFiles,
    maySend,
    isFocused,
  }: {
    mode: Mode;
    text: string;
    set(text: string): void;
    messages: readonly LiveMessage[] | undefined;
    hasFiles: boolean;
    maySend: boolean;
    isFocused: boolean;
  },
): CopilotOfComposer {
  const { copilot: hasModel, ghost_text: hasGhostText } = useMe();
  const copilot = useCopilot(id, { text, set, messages });
  const { isWriting, draft, ask, take, stop, undo, forget } = copilot;
  const suggests = hasGhostText && maySend && !is_resolved && speaker !== "ai";
  const ghost = useGhostText(id, {
    messageId: suggests ? awaitedIn(messages)?.id : undefined,
    isBegun: mode === "reply" && (text !== "" || hasFiles || isWriting),
    isFocused: isFocused && mode === "reply",
  });
  const { answer: suggested } = ghost;
  const draftReply = (instruction?: string) =>
    ask({ does: "draft", conversationId: id, ...(instruction !== undefined && { instruction }) });
  const takeSuggested = () => {
    if (suggested) take(suggested);
  };
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
    bar: (
      <Suspense>
        {(isWriting || draft) && <CopilotBar copilot={copilot} text={text} />}
        {/* There before its text is, so that it is read out. */}
        {suggests && <GhostLine isThere={suggested !== undefined} onTake={takeSuggested} />}
      </Suspense>
    ),
    ghost: suggested?.text,
    onEscape: isWriting ? stop : suggested && ghost.end,
    onShortcut(event) {
      if (!hasModel) return false;
      if (suggested && isShortcutPress(event, "Tab", IS_APPLE)) {
        takeSuggested();
        return true;
      }
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
      const wish = mode === "reply" && hasModel ? /^\/ai(?:\s+(.+))?$/s.exec(text.trim()) : null;
      if (wish) draftReply(wish[1]);
      return wish !== null;
    },
    forget,
  };
}
