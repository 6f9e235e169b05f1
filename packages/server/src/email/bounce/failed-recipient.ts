import { classOf, type FailureClass, statusIn } from "./failure-class.ts";

export const RECIPIENTS_MAX = 100;
const DIAGNOSTIC_MAX = 1_000;
/** Of the words around them. */
const CONTEXT_MAX = 10_000;

export interface FailedRecipient {
  address: string;
  /** `delayed`: the server goes on trying. */
  action: "failed" | "delayed";
  /** As `5.1.1`; null when the report has none. */
  status: string | null;
  class: FailureClass;
  /** The words of the server; "" when the report has none. */
  diagnostic: string;
}

/** @param context the words around, where they are about this recipient alone */
export function failedRecipient(
  address: string,
  isDelayed: boolean,
  status: string | null,
  words: string,
  context?: string,
): FailedRecipient {
  const diagnostic = words.replaceAll(/\s+/g, " ").trim().slice(0, DIAGNOSTIC_MAX).toWellFormed();
  const said = statusIn(diagnostic);
  // The code that the server has given says more than that of the report, unless it is as vague as `5.1.0`.
  const exact = said !== undefined && (!said.endsWith(".0") || /^(?:\d\.0\.0)?$/.test(status ?? "")) ? said : status;
  return {
    address,
    action: isDelayed ? "delayed" : "failed",
    status: exact,
    class: classOf({ isDelayed, status: exact, words: diagnostic, ...(context && { context: oneLine(context) }) }),
    diagnostic,
  };
}

const oneLine = (text: string): string => text.slice(0, CONTEXT_MAX).replaceAll(/\s+/g, " ");
