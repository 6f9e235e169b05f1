import type { LiveMessage } from "@frontdesk/core/contract/live";
import { useEffect, useRef, useState } from "react";
import { askCopilot, type CopilotAnswer, type CopilotTask } from "../service/copilot.ts";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";

/** What the copilot has written into a reply, until the agent sends it or throws it away. */
export interface CopilotDraft {
  /** What was in the field before. */
  before: string;
  /** What the copilot wrote, whole. */
  written: string;
  sources: CopilotAnswer["sources"];
  unsourced: string[];
  /** The newest message when it was asked for; undefined in an empty conversation. */
  after: number | undefined;
}

export interface Copilot {
  /** Whether it is writing. */
  isWriting: boolean;
  draft: CopilotDraft | undefined;
  /** The visitor has written since the draft was asked for. */
  isStale: boolean;
  ask(task: CopilotTask): void;
  /** Puts what it has suggested for an empty field into it. */
  take(suggested: CopilotAnswer): void;
  /** What is written so far stays. */
  stop(): void;
  /** Puts exactly what was there before into the field. */
  undo(): void;
  /** The field is empty again: it was sent, or thrown away. */
  forget(): void;
}

/**
 * The copilot of one conversation's reply:
 *
 *   idle --ask--> writing --end--> written --undo--> idle
 *     |              |                 '--field emptied--> idle
 *     |              |--stop, or the agent types--> what is there stays
 *     |              '--failed--> what was there before
 *     '--take what it has suggested--> written
 *
 * It writes into the field of its own conversation alone: when another one is opened, it stops, and the field is as it was before.
 */
export function useCopilot(
  conversationId: string,
  { text, set, messages }: { text: string; set(text: string): void; messages: readonly LiveMessage[] | undefined },
): Copilot {
  const [draft, setDraft] = useState<CopilotDraft>();
  const [isWriting, setWriting] = useState(false);
  const running = useRef<{ stop: AbortController; before: string }>(undefined);
  /** What was put into the field last; another text there was typed. */
  const shown = useRef<string>(undefined);
  const newest = messages?.at(-1)?.sort_number;
  const newestOfVisitor = messages?.findLast(({ from }) => from === "visitor")?.sort_number;

  const put = (next: string) => {
    shown.current = next;
    set(next);
  };
  const end = () => {
    running.current = undefined;
    setWriting(false);
  };
  const stop = () => {
    running.current?.stop.abort();
    end();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the conversation is left
  useEffect(
    () => () => {
      const { current } = running;
      if (!current) return;
      current.stop.abort();
      running.current = undefined;
      set(current.before);
    },
    [conversationId],
  );

  // What the agent types is theirs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the text changes
  useEffect(() => {
    if (running.current && shown.current !== undefined && text !== shown.current) stop();
  }, [text]);

  return {
    isWriting,
    draft,
    isStale: draft?.after !== undefined && newestOfVisitor !== undefined && newestOfVisitor > draft.after,
    stop,
    undo() {
      const before = draft?.before ?? running.current?.before ?? "";
      stop();
      setDraft(undefined);
      put(before);
    },
    forget() {
      stop();
      setDraft(undefined);
    },
    take({ text: written, sources, unsourced }) {
      stop();
      setDraft({ before: text, written, sources, unsourced, after: newest });
      put(written);
    },
    ask(task) {
      stop();
      const mine = { stop: new AbortController(), before: text };
      running.current = mine;
      shown.current = text;
      setWriting(true);
      const begun: CopilotDraft = { before: text, written: "", sources: [], unsourced: [], after: newest };
      const isMine = () => running.current === mine;
      void askCopilot(task, {
        signal: mine.stop.signal,
        onText: (soFar) => {
          if (!isMine()) return;
          setDraft({ ...begun, written: soFar });
          put(soFar);
        },
      })
        .then((answer) => {
          if (!isMine()) return;
          setDraft({ ...begun, written: answer.text, sources: answer.sources, unsourced: answer.unsourced });
          put(answer.text);
          end();
        })
        .catch((error) => {
          if (!isMine()) return;
          setDraft(undefined);
          put(mine.before);
          end();
          showProblem(problemText(error));
        });
    },
  };
}
