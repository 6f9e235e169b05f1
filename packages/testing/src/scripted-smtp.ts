/** A mail server on loopback that answers as a test says, and hangs up where it says: what good servers never do. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** What the server does at a step: an answer, closing the connection, or silence. */
export type SmtpStep = string | "close" | "silence";

export interface SmtpScript {
  greeting?: SmtpStep;
  ehlo?: SmtpStep;
  auth?: SmtpStep;
  mail?: SmtpStep;
  /** By the recipient's address; `*` for all others. */
  rcpt?: Readonly<Record<string, SmtpStep>>;
  data?: SmtpStep;
  /** Once so many bytes of the mail have come. */
  inData?: { bytes: number; step: SmtpStep };
  /** After the final dot. */
  dot?: SmtpStep;
}

/** A mail whose final dot has come, as the bytes that came (dots at the beginning of lines are doubled). */
export interface ScriptedMail {
  from: string;
  /** The recipients that were accepted. */
  to: string[];
  raw: string;
}

export interface ScriptedSmtp {
  port: number;
  /** All that were handed over, whatever was answered. */
  mails: ScriptedMail[];
  /** The commands of all sessions, in order. */
  commands: string[];
  sessions(): number;
  /** Resolves when the script has been silent to a session. */
  silent(): Promise<unknown>;
  /** Sessions to which the script was silent get this now. */
  breaksSilence(step: SmtpStep): void;
  plays(script: SmtpScript): void;
  close(): Promise<void>;
}

export async function startScriptedSmtp(first: SmtpScript = {}): Promise<ScriptedSmtp> {
  let script = first;
  let sessions = 0;
  const mails: ScriptedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const quiet = Promise.withResolvers<void>();
  let waiting: ((step: SmtpStep) => void)[] = [];
  const server = createServer((socket) => {
    sessions += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    commands,
    sessions: () => sessions,
    silent: () => quiet.promise,
    breaksSilence(step) {
      const plays = waiting;
      waiting = [];
      for (const play of plays) play(step);
    },
    plays: (next) => {
      script = next;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };

  function serve(socket: Socket): void {
    let text = "";
    let inData = false;
    let mail: ScriptedMail = { from: "", to: [], raw: "" };
    const play = (step: SmtpStep): void => {
      if (step === "close") socket.destroy();
      else if (step === "silence") {
        waiting.push(play);
        quiet.resolve();
      } else socket.write(`${step}\r\n`);
    };
    play(script.greeting ?? "220 scripted.test ESMTP");
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      while (!socket.destroyed && (inData ? readData() : readCommand()));
    });

    function readData(): boolean {
      const early = script.inData;
      if (early && text.length >= early.bytes) {
        play(early.step);
        return false;
      }
      const end = text.indexOf("\r\n.\r\n");
      if (end < 0) return false;
      mails.push({ ...mail, raw: text.slice(0, end + 2) });
      text = text.slice(end + 5);
      inData = false;
      play(script.dot ?? "250 2.0.0 taken");
      return true;
    }

    function readCommand(): boolean {
      const end = text.indexOf("\r\n");
      if (end < 0) return false;
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      commands.push(line);
      const verb = line.slice(0, 4).toUpperCase();
      const address = /<([^>]*)>/.exec(line)?.[1] ?? "";
      if (verb === "EHLO") play(script.ehlo ?? "250-scripted.test\r\n250-AUTH PLAIN LOGIN\r\n250 SIZE 52428800");
      else if (verb === "AUTH") play(script.auth ?? "235 2.7.0 welcome");
      else if (verb === "MAIL") {
        mail = { from: address, to: [], raw: "" };
        play(script.mail ?? "250 2.1.0 ok");
      } else if (verb === "RCPT") {
        const step = script.rcpt?.[address] ?? script.rcpt?.["*"] ?? "250 2.1.5 ok";
        if (step.startsWith("2")) mail.to.push(address);
        play(step);
      } else if (verb === "DATA") {
        const step = script.data ?? "354 go on";
        inData = step.startsWith("3");
        play(step);
      } else if (verb === "QUIT") {
        socket.end("221 2.0.0 bye\r\n");
      } else play("502 5.5.1 not known");
      return true;
    }
  }
}
