/**
 * HTTP/1.1 over plain sockets, one request at a time on each, because on two cores an HTTP client costs as much as the server
 * under test.
 */
import { once } from "node:events";
import { createConnection } from "node:net";

export interface PlainRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export interface PlainAnswer {
  /** 0: the connection was closed instead. */
  status: number;
  /** Decoded as Latin-1; chunk headers of a chunked body are not removed. */
  body: string;
}

export interface PlainSocket {
  /** Sends a request made by `requestText`. Only after the last one was answered. */
  send(request: string, onAnswer: (answer: PlainAnswer) => void): void;
  end(): void;
  /** By the server, which closes idle connections. */
  readonly closed: boolean;
}

const CLOSED: PlainAnswer = { status: 0, body: "" };

/** A connection to this machine. An error on it ends the process. */
export async function openSocket(port: number): Promise<PlainSocket> {
  const socket = createConnection({ port, noDelay: true });
  await once(socket, "connect");
  let received = "";
  let onAnswer: ((answer: PlainAnswer) => void) | undefined;
  const tell = (answer: PlainAnswer) => {
    const then = onAnswer;
    onAnswer = undefined;
    then?.(answer);
  };
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const length = /content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1];
    if (length === undefined && /transfer-encoding: chunked/i.test(received.slice(0, headEnd))) {
      if (!received.endsWith("\r\n0\r\n\r\n")) return;
    } else if (received.length < headEnd + 4 + Number(length ?? 0)) return;
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(headEnd + 4) };
    received = "";
    tell(answer);
  });
  socket.on("close", () => tell(CLOSED));
  return {
    send(request, then) {
      onAnswer = then;
      if (socket.writable) socket.write(request);
      else setImmediate(tell, CLOSED);
    },
    end: () => socket.end(),
    get closed() {
      return !socket.writable;
    },
  };
}

/** @param unique replaces `{n}` in address and body */
export function requestText({ method, path, headers, body }: PlainRequest, unique: string): string {
  const content = body?.replaceAll("{n}", unique);
  const head = [
    `${method} ${path.replaceAll("{n}", unique)} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(content === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(content)}`]),
  ];
  return `${head.join("\r\n")}\r\n\r\n${content ?? ""}`;
}
