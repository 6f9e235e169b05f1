/**
 * Nothing unsaved is lost without a word: a form marks its changes beside Save, and asks "Discard changes?" before it is
 * closed, before the router leaves its page, and (in the browser's words) before the page is unloaded.
 */
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { t } from "../texts/texts.ts";
import { lazyPart } from "./lazy-part.ts";
import { guardUnsaved } from "./unsaved-guards.ts";
import { whenIdle } from "./when-idle.ts";

const DiscardQuestion = lazyPart(() => import("./discard-question.tsx"), "DiscardQuestion");

export interface Unsaved {
  isDirty: boolean;
  /** Props of the form element: its named fields are compared. */
  form: { ref(form: HTMLFormElement | null): (() => void) | undefined; onInput(): void };
  /** What is in the form now is saved when `work` succeeds. Leaving meanwhile waits for it. */
  saving<Work extends Promise<unknown>>(work: Work): Work;
  /** Does what closes the form, at once or after the question. */
  leave(act: () => void): void;
  /** The question, while it is open: to be rendered in the form's component. */
  question: ReactNode;
}

/** @param state the form's values that are not in named fields */
export function useUnsaved(state?: unknown): Unsaved {
  const element = useRef<HTMLFormElement>(null);
  const latest = useRef(state);
  latest.current = state;
  const saved = useRef<string>(undefined);
  const pending = useRef<Promise<boolean>>(undefined);
  const sending = useRef<Promise<unknown>>(undefined);
  const [isDirty, setDirty] = useState(false);
  const [answer, setAnswer] = useState<(discard: boolean) => void>();

  const guard = useMemo(() => {
    const isChanged = () => element.current !== null && valuesOf(element.current, latest.current) !== saved.current;
    const look = () => setDirty(isChanged());
    const keep = (values: string | undefined) => {
      saved.current = values;
      look();
    };
    const now = () => (element.current ? valuesOf(element.current, latest.current) : saved.current);
    /** A second question waits for the answer to the first. */
    const ask = () => {
      pending.current ??= new Promise<boolean>((resolve) => {
        setAnswer(() => (discard: boolean) => {
          pending.current = undefined;
          setAnswer(undefined);
          if (discard) keep(now());
          resolve(discard);
        });
      });
      return pending.current;
    };
    const mayLose = async () => {
      await sending.current?.catch(() => {});
      return !isChanged() || ask();
    };
    return { isChanged, look, keep, now, mayLose };
  }, []);

  useEffect(guard.look);
  // Before it is needed: the question must not depend on the network.
  useEffect(() => void whenIdle().then(DiscardQuestion.preload), []);
  useEffect(() => (isDirty ? guardUnsaved(guard.mayLose) : undefined), [isDirty, guard]);
  useBlocker({
    shouldBlockFn: useCallback(
      async ({ current, next }) => current.pathname !== next.pathname && !(await guard.mayLose()),
      [guard],
    ),
    enableBeforeUnload: guard.isChanged,
    disabled: !isDirty,
  });

  return {
    isDirty,
    form: {
      ref: useCallback(
        (form) => {
          element.current = form;
          if (!form) return;
          saved.current ??= guard.now();
          return () => {
            element.current = null;
          };
        },
        [guard],
      ),
      // Not a listener of the element: it would render before React knows what was typed, and undo it.
      onInput: guard.look,
    },
    saving(work) {
      const sent = guard.now();
      sending.current = work;
      // The form shows why it failed.
      work.then(
        () => guard.keep(sent),
        () => {},
      );
      return work;
    },
    leave: (act) => void guard.mayLose().then((may) => may && act()),
    question: answer && (
      <Suspense>
        <DiscardQuestion onAnswer={answer} />
      </Suspense>
    ),
  };
}

/** All values of a form, to be compared. */
function valuesOf(form: HTMLFormElement, state: unknown): string {
  const fields = [...new FormData(form)].filter(([, value]) => typeof value === "string");
  return JSON.stringify([fields, state]);
}

/**
 * The mark at Save.
 *
 * @param short on a phone only its dot is seen
 */
export function UnsavedMark({ unsaved, short }: { unsaved: Unsaved; short?: true }) {
  if (!unsaved.isDirty) return null;
  return (
    <span className="flex items-center gap-1.5 text-meta text-warning">
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      <span className={short && "max-md:sr-only"}>{t("unsaved.mark")}</span>
    </span>
  );
}
