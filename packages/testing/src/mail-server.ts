/** A real mail server on loopback that records received mail. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export interface Received {
  from: string | undefined;
  to: string[];
  raw: string;
  /** Whether it came over TLS. */
  secure: boolean;
}

/**
 * Receives mail until it is stopped.
 *
 * @param options.refuses an address that it refuses mail for
 * @param options.offersTls by STARTTLS, with a self-made certificate
 */
export async function startMailServer({
  port = 0,
  refuses,
  offersTls = false,
}: {
  port?: number;
  refuses?: string;
  offersTls?: boolean;
} = {}): Promise<{
  port: number;
  inbox: Received[];
  stop(): Promise<void>;
}> {
  const inbox: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: offersTls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    onRcptTo({ address }, _session, callback) {
      if (address !== refuses) callback();
      else callback(Object.assign(new Error("No such user here"), { responseCode: 550 }));
    },
    async onData(stream, { envelope, secure }, callback) {
      const raw = await text(stream);
      const from = envelope.mailFrom ? envelope.mailFrom.address : undefined;
      inbox.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, secure });
      callback();
    },
  });
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  const stop = () => new Promise<void>((done) => server.close(() => done()));
  return { port: (listening.address() as AddressInfo).port, inbox, stop };
}

/** A parsed mail: its headers, and its parts by type. */
export function readMail({ raw }: Pick<Received, "raw">): {
  header(name: string): string;
  part(type: "text/plain" | "text/html"): string;
} {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1];
  const [head = ""] = raw.split("\r\n\r\n");
  const headers = unfolded(head);
  const parts = boundary === undefined ? [raw] : raw.split(`--${boundary}`);
  return {
    header: (name) => inWords(new RegExp(`^${name}: (.*)$`, "im").exec(headers)?.[1] ?? ""),
    part(type) {
      const found = parts.find((part) => unfolded(part.split("\r\n\r\n")[0] ?? "").includes(type)) ?? "";
      const [partHead = "", ...body] = found.replace(/^\r\n/, "").split("\r\n\r\n");
      return decoded(body.join("\r\n\r\n"), /transfer-encoding: (\S+)/i.exec(partHead)?.[1]).replaceAll("\r\n", "\n");
    },
  };
}

const unfolded = (head: string) => head.replaceAll(/\r\n[ \t]+/g, " ");

/** Decodes `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=`. */
function inWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === "B" ? decoded(word, "base64") : decoded(word.replaceAll("_", " "), "quoted-printable"),
    );
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
