/** A mail server's side of LMTP, step by step: it stops, hangs up and repeats where a test says. */
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";

export interface LmtpMail {
  /** Empty for the null sender. */
  from?: string;
  to: readonly string[];
  raw: string;
}

export interface LmtpClient {
  /** The first answer. */
  greeting: string;
  /** Sends a command; resolves to the last line of its answer. */
  ask(command: string): Promise<string>;
  /** The last line of the next answer; "closed" when the server has ended the connection. */
  answer(): Promise<string>;
  /** Sends a part of a mail, when the server has room for it. */
  write(part: string | Uint8Array): Promise<void>;
  /** The commands up to the mail itself; resolves to the answers to the recipients. */
  begin(mail: Omit<LmtpMail, "raw">): Promise<string[]>;
  /** A whole mail; resolves to the answers to its recipients, and to the mail for those that were accepted. */
  deliver(mail: LmtpMail): Promise<{ rcpt: string[]; data: string[] }>;
  hangUp(): void;
}

export const CLOSED = "closed";

const isAccepted = (answer: string) => answer.startsWith("250");

/** Connects to a port of 127.0.0.1, and waits for the greeting. */
export async function connectLmtp(port: number): Promise<LmtpClient> {
  const socket = connect(port, "127.0.0.1");
  // The server may hang up while something is sent; the answer says so.
  socket.on("error", () => {});
  const reader = createInterface(socket);
  reader.on("error", () => {});
  socket.once("close", () => reader.close());
  const lines = reader[Symbol.asyncIterator]();

  const client: Omit<LmtpClient, "greeting"> = {
    async answer() {
      for (;;) {
        const { done, value } = await lines.next().catch(() => ({ done: true, value: "" }));
        if (done) return CLOSED;
        if (/^\d{3} /.test(value)) return value;
      }
    },
    ask(command) {
      socket.write(`${command}\r\n`);
      return client.answer();
    },
    async write(part) {
      if (!socket.write(part)) await once(socket, "drain");
    },
    async begin({ from = "vera@vera.example", to }) {
      await client.ask("LHLO mail.acme.example");
      await client.ask(`MAIL FROM:<${from}>`);
      const answers: string[] = [];
      for (const address of to) answers.push(await client.ask(`RCPT TO:<${address}>`));
      await client.ask(answers.some(isAccepted) ? "DATA" : "RSET");
      return answers;
    },
    async deliver({ raw, ...envelope }) {
      const rcpt = await client.begin(envelope);
      if (!rcpt.some(isAccepted)) return { rcpt, data: [] };
      const ended = raw === "" || raw.endsWith("\r\n") ? raw : `${raw}\r\n`;
      await client.write(`${ended.replaceAll(/^\./gm, "..")}.\r\n`);
      const data: string[] = [];
      while (data.length < rcpt.filter(isAccepted).length) data.push(await client.answer());
      return { rcpt, data };
    },
    hangUp: () => void socket.destroy(),
  };
  return { ...client, greeting: await client.answer() };
}
