import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { fieldReasonsIn, isUnanswered } from "../service/service-error.ts";
import { loadRefusalTexts, refusalText } from "../texts/refusal-text.ts";
import { cx } from "./class-names.ts";
import { problemText } from "./problem-text.ts";

export interface FormState {
  busy: boolean;
  /** The error of a field. */
  problemOf(field: string): string | undefined;
  /** An error that belongs to no field. */
  problem: string | undefined;
  send(event: FormEvent<HTMLFormElement>): void;
}

/**
 * A form of named fields. The service's errors are shown at their fields.
 *
 * @param act gets the values; what it throws is shown
 */
export function useForm(act: (values: Record<string, string>) => Promise<unknown>): FormState {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const sent = useRef<HTMLFormElement>(null);
  // After the rendering that marks the fields, however long that takes.
  useEffect(() => {
    if (refused !== undefined) sent.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refused]);
  const reasons = fieldReasonsIn(refused);
  return {
    busy,
    problemOf: (field) => reasons[field]?.map(refusalText).join(" "),
    problem: refused === undefined || Object.keys(reasons).length > 0 ? undefined : problemText(refused),
    send(event) {
      event.preventDefault();
      const form = event.currentTarget;
      sent.current = form;
      setBusy(true);
      setRefused(undefined);
      act(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])))
        .catch(async (error) => {
          // A form of the first screen may be refused before they are loaded. Without a connection they would be waited for.
          if (!isUnanswered(error)) await loadRefusalTexts();
          setRefused(error);
        })
        .finally(() => setBusy(false));
    },
  };
}

export function FormProblem({ text, className }: { text: ReactNode | undefined; className?: string }) {
  if (!text) return null;
  return (
    <p role="alert" className={cx("rounded-control border border-danger px-3 py-2 text-danger", className)}>
      {text}
    </p>
  );
}
