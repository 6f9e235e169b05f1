import { FrontdeskError } from "@frontdesk/client";
import { firstReason, type GivenReason, type Problem } from "@frontdesk/client/agent";

/** A refusal of the service. `status` 0: there was no answer. */
export class ServiceError extends Error {
  readonly status: number;
  readonly body: Problem;

  constructor(status: number, body: Partial<Problem>) {
    const message = typeof body.message === "string" ? body.message : "";
    super(message);
    this.name = "ServiceError";
    this.status = status;
    this.body = { ...body, message };
  }
}

/** Whether there was no answer at all. */
export function isUnanswered(error: unknown): boolean {
  return (error instanceof ServiceError || error instanceof FrontdeskError) && error.status === 0;
}

/** Why the service refused, from either of the two clients; undefined when the answer is not the service's. */
export function reasonIn(error: unknown): GivenReason | undefined {
  const problem = problemIn(error);
  return problem?.message ? firstReason(problem) : undefined;
}

/** Why the service refused each field. */
export function fieldReasonsIn(error: unknown): Readonly<Record<string, readonly GivenReason[]>> {
  const { errors = {}, reasons = {} } = problemIn(error) ?? {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field,
      messages.map((message, index) => ({ message, ...reasons[field]?.[index] })),
    ]),
  );
}

function problemIn(error: unknown): Problem | undefined {
  if (error instanceof ServiceError) return error.body;
  return error instanceof FrontdeskError ? { ...(error.body as Partial<Problem>), message: error.message } : undefined;
}
