import { type GivenReason, type NamedReason, namedReason, sentenceOf } from "@frontdesk/core/domain/reasons";

/** What is answered with a status of HTTP's own and a `{message}`: mostly a request that cannot even be read. */
export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly status: number;
  /** What is refused; the message is its sentence. */
  readonly detail: NamedReason;
  /** What stands beside the message. */
  readonly more: object;
  constructor(status: number, detail: GivenReason, { more = {}, ...options }: ErrorOptions & { more?: object } = {}) {
    super(sentenceOf(detail), options);
    this.status = status;
    this.detail = namedReason(detail);
    this.more = more;
  }
}
