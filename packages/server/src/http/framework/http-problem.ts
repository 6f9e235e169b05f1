/** What is answered with a status of HTTP's own and a `{message}`: mostly a request that cannot even be read. */
export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly status: number;
  /** What stands beside the message. */
  readonly more: object;
  constructor(status: number, message: string, { more = {}, ...options }: ErrorOptions & { more?: object } = {}) {
    super(message, options);
    this.status = status;
    this.more = more;
  }
}
