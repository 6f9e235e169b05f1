import { FrontdeskError } from "@frontdesk/client";
import { type FormEvent, type ReactNode, useState } from "react";
import { ServiceError } from "../service/service-error.ts";
import { cx } from "./class-names.ts";
import { inOwnWords } from "./in-own-words.ts";
import { problemText } from "./problem-text.ts";

export interface FormState {
  busy: boolean;
  /** What is wrong with a field. */
  problemOf(field: string): string | undefined;
  /** What is wrong with no field of its own. */
  problem: string | undefined;
  send(event: FormEvent<HTMLFormElement>): void;
}

/**
 * A form of named fields. What the service refuses is shown at its field.
 *
 * @param act gets what was filled in; what it throws is shown
 */
export function useForm(act: (values: Record<string, string>) => Promise<unknown>): FormState {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const errors = fieldProblems(refused);
  return {
    busy,
    problemOf: (field) => errors[field]?.map(inOwnWords).join(" "),
    problem: refused === undefined || Object.keys(errors).length > 0 ? undefined : problemText(refused),
    send(event) {
      event.preventDefault();
      const form = event.currentTarget;
      setBusy(true);
      setRefused(undefined);
      act(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])))
        .catch((error) => {
          setRefused(error);
          requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
        })
        .finally(() => setBusy(false));
    },
  };
}

/** What is wrong by field, whichever of the two clients has asked. */
function fieldProblems(error: unknown): Readonly<Record<string, readonly string[]>> {
  if (error instanceof ServiceError) return error.errors;
  return error instanceof FrontdeskError ? (error.errors ?? {}) : {};
}

export function FormProblem({ text, className }: { text: ReactNode | undefined; className?: string }) {
  if (!text) return null;
  return (
    <p role="alert" className={cx("rounded-control border border-danger px-3 py-2 text-danger", className)}>
      {text}
    </p>
  );
}
