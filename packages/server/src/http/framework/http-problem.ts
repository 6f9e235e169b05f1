import { type GivenReason, type NamedReason, namedReason, sentenceOf } from "@frontdesk/core/domain/reasons";

/** An error with an HTTP status of its own and a `{message}`: mostly a request that cannot even be read. */
export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly status: number;
  /** The message is the sentence of the refusal. */
  readonly detail: NamedReason;
  /** Further fields of the answer. */
  readonly more: object;
  constructor(status: number, detail: GivenReason, { more = {}, ...options }: ErrorOptions & { more?: object } = {}) {
    super(sentenceOf(detail), options);
    this.status = status;
    this.detail = namedReason(detail);
    this.more = more;
  }
}
