/** Messages that an agent reads in their own language: kept while the page is open, by the id of the message. */
import { useSyncExternalStore } from "react";
import { askCopilot } from "../service/copilot.ts";
import { language } from "../texts/texts.ts";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";

export interface Translation {
  /** What is there so far. */
  text: string;
  isWriting: boolean;
}

const translations = new Map<string, Translation>();
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();

function put(id: string, translation: Translation | undefined): void {
  if (translation) translations.set(id, translation);
  else translations.delete(id);
  for (const listener of listeners) listener();
}

/** Translates a message into the language of the dashboard. */
export function translateMessage({ id, content }: { id: string; content: string }): void {
  const stop = new AbortController();
  running.get(id)?.abort();
  running.set(id, stop);
  put(id, { text: "", isWriting: true });
  const isMine = () => running.get(id) === stop;
  askCopilot(
    { does: "rewrite", text: content, how: "translate", language },
    { signal: stop.signal, onText: (text) => isMine() && put(id, { text, isWriting: true }) },
  )
    .then(({ text }) => isMine() && put(id, { text, isWriting: false }))
    .catch((error) => {
      if (!isMine()) return;
      put(id, undefined);
      showProblem(problemText(error));
    })
    .finally(() => isMine() && running.delete(id));
}

export function hideTranslation(id: string): void {
  running.get(id)?.abort();
  running.delete(id);
  put(id, undefined);
}

export const isTranslated = (id: string): boolean => translations.has(id);

export function useTranslation(id: string): Translation | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => translations.get(id),
  );
}
