/** A request that cannot even be read: it has a status of HTTP's own and a `{message}`, and no product meaning. */
export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly status: number;
  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
