import { once } from "node:events";
import { connect } from "node:net";
import type { Check } from "./check.ts";

const TIMEOUT_MS = 3_000;

/** LMTP_HOST and LMTP_PORT: the running server answers there. Nothing is delivered. */
export async function checkLmtp({ host, port }: { host: string; port: number }): Promise<Check> {
  const name = "lmtp";
  const place = `${host}:${port}`;
  const greeting = await greetingOf(host, port);
  if (greeting === undefined) {
    return { name, state: "note", says: `${place} could not be checked: no server responds there.` };
  }
  if (/^220 frontdesk LMTP/.test(greeting)) return { name, state: "ok", says: `${place} responds.` };
  const make = "Stop the other program, or set a different LMTP_PORT.";
  return { name, state: "problem", says: `Something else responds at ${place}.`, do: make };
}

async function greetingOf(host: string, port: number): Promise<string | undefined> {
  // The address that means "every address" cannot be opened everywhere.
  const socket = connect(port, host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host);
  try {
    const [bytes] = await once(socket, "data", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return String(bytes);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
