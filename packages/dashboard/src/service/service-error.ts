/** What the service refused, in its own words. `status` 0: there was no answer. */
export class ServiceError extends Error {
  readonly status: number;
  /** By field, as at a form. */
  readonly errors: Readonly<Record<string, string[]>>;
  /** The rest of the answer. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.message === "string" ? body.message : "");
    this.name = "ServiceError";
    this.status = status;
    this.errors = (body.errors ?? {}) as Record<string, string[]>;
    this.body = body;
  }
}
