import type { WireRequest } from "./send-request.ts";

/** Each try is a request to the server. */
const MOST_TRIES = 200;

/**
 * The simplest request, found by leaving out one thing after another, that still `fails`. The request itself is
 * answered when nothing simpler fails, as when it is the state of the data that matters.
 */
export async function simplest(
  request: WireRequest,
  fails: (candidate: WireRequest) => Promise<boolean>,
): Promise<WireRequest> {
  let best = request;
  let tries = 0;
  for (let found = true; found; ) {
    found = false;
    for (const candidate of simpler(best)) {
      tries += 1;
      if (tries > MOST_TRIES) return best;
      if (!(await fails(candidate))) continue;
      best = candidate;
      found = true;
      break;
    }
  }
  return best;
}

function* simpler(request: WireRequest): Generator<WireRequest> {
  const [path = "", query] = request.target.split(/\?(.*)/s);
  if (query) yield { ...request, target: path };
  const pairs = query?.split("&") ?? [];
  for (const [index] of pairs.entries()) {
    const others = pairs.toSpliced(index, 1).join("&");
    if (pairs.length > 1) yield { ...request, target: `${path}?${others}` };
  }
  for (const name of Object.keys(request.headers)) {
    if (name === "x-api-key" || name === "content-type") continue;
    const { [name]: _left, ...headers } = request.headers;
    yield { ...request, headers };
  }
  if (typeof request.body !== "string") return;
  try {
    for (const value of simplerValues(JSON.parse(request.body))) yield { ...request, body: JSON.stringify(value) };
  } catch {
    const { length } = request.body;
    if (length > 1) yield { ...request, body: request.body.slice(0, length / 2) };
    if (length > 1) yield { ...request, body: request.body.slice(length / 2) };
  }
}

function* simplerValues(value: unknown): Generator<unknown> {
  if (typeof value === "string" && value.length > 1) {
    yield value.slice(0, value.length / 2);
    yield value.slice(value.length / 2);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const inner of simplerValues(item)) yield value.toSpliced(index, 1, inner);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _left, ...others } = value as Record<string, unknown>;
      yield others;
      for (const inner of simplerValues(item)) yield { ...value, [name]: inner };
    }
  }
}
