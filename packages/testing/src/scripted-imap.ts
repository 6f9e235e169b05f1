/**
 * A small IMAP server for what good servers never do: UIDs that show late, an EXISTS that lies, silence in IDLE, connections cut
 * in the middle of a literal, literals that are longer than announced sizes. A test changes its mailbox and its faults while it
 * runs. It knows what `email/imap` uses, and no more.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface ScriptedMail {
  uid: number;
  raw: string;
  /** RFC822.SIZE, when it is to lie. */
  size?: number;
  /** ms since the epoch. */
  internalDate?: number;
  /** Not there yet for a client. */
  hidden?: boolean;
  /** The connection is cut in the middle of its literal, so many times. */
  cuts?: number;
}

export interface ScriptedFaults {
  /** The answer to LOGIN. */
  refuses?: "AUTHENTICATIONFAILED" | "UNAVAILABLE";
  /** Nothing is announced in IDLE. */
  silentIdle?: boolean;
  /** Nothing is answered any more. */
  dead?: boolean;
  /** The greeting is a BYE. */
  bye?: boolean;
  /** There is a folder of sent mails, with which something is wrong. */
  sent?: "unlisted" | "unnumbered" | "without status" | "unopened";
}

export interface ScriptedImap {
  readonly port: number;
  uidValidity: number;
  readonly mails: ScriptedMail[];
  readonly faults: ScriptedFaults;
  /** All that clients have sent, a line each. */
  readonly commands: string[];
  /** Connections so far. */
  connections(): number;
  idling(): number;
  /** Adds a mail, and announces it. */
  deliver(raw: string, more?: Partial<ScriptedMail>): ScriptedMail;
  /** Announces this number of mails to all that idle. */
  announce(exists: number): void;
  /** Says BYE to all, and closes. */
  sayBye(): void;
  stop(): Promise<void>;
}

interface Client {
  socket: Socket;
  idleTag: string | undefined;
}

export async function startScriptedImap(): Promise<ScriptedImap> {
  const mails: ScriptedMail[] = [];
  const faults: ScriptedFaults = {};
  const commands: string[] = [];
  const clients = new Set<Client>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const client: Client = { socket, idleTag: undefined };
    clients.add(client);
    socket.on("close", () => clients.delete(client));
    socket.on("error", () => {});
    if (faults.bye) return void socket.end("* BYE not now\r\n");
    socket.write("* OK [CAPABILITY IMAP4rev1 IDLE UIDPLUS MOVE] ready\r\n");
    let read = "";
    socket.setEncoding("latin1").on("data", (data: string) => {
      read += data;
      const lines = read.split("\r\n");
      read = lines.pop() ?? "";
      for (const line of lines) {
        commands.push(line);
        if (!faults.dead) answer(client, line);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const shown = () => mails.filter(({ hidden }) => !hidden).sort((a, b) => a.uid - b.uid);
  const imap: ScriptedImap = {
    port: (server.address() as AddressInfo).port,
    uidValidity: 1,
    mails,
    faults,
    commands,
    connections: () => connections,
    idling: () => [...clients].filter(({ idleTag }) => idleTag !== undefined).length,
    deliver(raw, more = {}) {
      const uid = more.uid ?? Math.max(0, ...mails.map((mail) => mail.uid)) + 1;
      const mail = { raw, ...more, uid };
      mails.push(mail);
      if (!mail.hidden) imap.announce(shown().length);
      return mail;
    },
    announce(exists) {
      if (faults.silentIdle || faults.dead) return;
      for (const { socket, idleTag } of clients) if (idleTag !== undefined) socket.write(`* ${exists} EXISTS\r\n`);
    },
    sayBye() {
      for (const { socket } of clients) socket.end("* BYE going down\r\n");
    },
    async stop() {
      for (const { socket } of clients) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return imap;

  function answer(client: Client, line: string): void {
    const { socket } = client;
    if (/^DONE$/i.test(line)) {
      socket.write(`${client.idleTag} OK done\r\n`);
      client.idleTag = undefined;
      return;
    }
    const [, tag = "*", command = "", args = ""] = /^(\S+) (UID \w+|\w+) ?(.*)$/i.exec(line) ?? [];
    const ok = (text = "done") => socket.write(`${tag} OK ${text}\r\n`);
    switch (command.toUpperCase()) {
      case "CAPABILITY":
        socket.write("* CAPABILITY IMAP4rev1 IDLE UIDPLUS MOVE\r\n");
        return void ok();
      case "LOGIN":
        if (faults.refuses) return void socket.write(`${tag} NO [${faults.refuses}] no\r\n`);
        return void ok();
      case "LIST":
        if (faults.sent === "unlisted" && args.includes("*")) return void socket.write(`${tag} NO not now\r\n`);
        socket.write('* LIST () "/" INBOX\r\n* LIST (\\Archive) "/" Archive\r\n');
        if (faults.sent) socket.write('* LIST (\\Sent) "/" Sent\r\n');
        return void ok();
      case "STATUS":
        if (faults.sent === "without status") return void socket.write(`${tag} NO not now\r\n`);
        socket.write(`* STATUS Sent (${faults.sent === "unnumbered" ? "" : "UIDNEXT 1000 "}UIDVALIDITY 1)\r\n`);
        return void ok();
      case "SELECT":
      case "EXAMINE":
        return void select(socket, tag, args);
      case "IDLE":
        client.idleTag = tag;
        return void socket.write("+ idling\r\n");
      case "UID SEARCH":
        socket.write(`* SEARCH ${searched(args).join(" ")}\r\n`);
        return void ok();
      case "UID FETCH":
        return void fetch(socket, args, ok);
      case "UID MOVE":
        for (const mail of inSet(args.split(" ")[0] ?? "")) mails.splice(mails.indexOf(mail), 1);
        return void ok();
      default:
        return void ok();
    }
  }

  function select(socket: Socket, tag: string, args: string): void {
    if (!/INBOX/i.test(args)) return void socket.write(`${tag} NO [NONEXISTENT] no such folder\r\n`);
    const uidNext = Math.max(0, ...mails.map(({ uid }) => uid)) + 1;
    socket.write(
      `* FLAGS (\\Seen \\Deleted)\r\n* ${shown().length} EXISTS\r\n* OK [UIDVALIDITY ${imap.uidValidity}] ok\r\n` +
        `* OK [UIDNEXT ${uidNext}] ok\r\n${tag} OK [READ-WRITE] selected\r\n`,
    );
  }

  /** As RFC 9051 has it: `n:*` has the last mail, also when it is below n. */
  function inSet(set: string): ScriptedMail[] {
    const all = shown();
    const last = all.at(-1)?.uid ?? 0;
    const ranges = set.split(",").map((part) => {
      const [from = 0, to = from] = part.split(":").map((end) => (end === "*" ? last : Number(end)));
      return [Math.min(from, to), Math.max(from, to)] as const;
    });
    return all.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to));
  }

  function searched(args: string): number[] {
    const set = /UID (\S+)/i.exec(args)?.[1] ?? "1:*";
    const since = Date.parse(/SINCE "?([^" ]+)/i.exec(args)?.[1] ?? "1970-01-01");
    return inSet(set)
      .filter(({ internalDate = Date.now() }) => internalDate >= since)
      .map(({ uid }) => uid);
  }

  function fetch(socket: Socket, args: string, ok: () => void): void {
    const [set = "", ...rest] = args.split(" ");
    const query = rest.join(" ").toUpperCase();
    for (const mail of inSet(set)) {
      const number = shown().indexOf(mail) + 1;
      const items = [`UID ${mail.uid}`];
      if (query.includes("RFC822.SIZE")) items.push(`RFC822.SIZE ${mail.size ?? mail.raw.length}`);
      if (query.includes("INTERNALDATE")) items.push(`INTERNALDATE "${imapDate(mail.internalDate ?? Date.now())}"`);
      if (query.includes("BODYSTRUCTURE")) {
        items.push(
          `BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "8BIT" ${mail.raw.length} 1 NIL NIL NIL NIL)`,
        );
      }
      const head = mail.raw.slice(0, mail.raw.indexOf("\r\n\r\n") + 4);
      if (query.includes("BODY.PEEK[HEADER]")) items.push(literal("BODY[HEADER]", head));
      if (query.includes("BODY.PEEK[1]"))
        items.push(literal("BODY[1]<0>", mail.raw.slice(head.length).slice(0, 1_000)));
      if (query.includes("BODY.PEEK[]")) {
        if (mail.cuts) {
          mail.cuts -= 1;
          socket.end(`* ${number} FETCH (UID ${mail.uid} BODY[] {${mail.raw.length}}\r\n${mail.raw.slice(0, 20)}`);
          return;
        }
        items.push(literal("BODY[]", mail.raw));
      }
      socket.write(`* ${number} FETCH (${items.join(" ")})\r\n`, "latin1");
    }
    ok();
  }
}

const literal = (name: string, content: string) => `${name} {${content.length}}\r\n${content}`;

function imapDate(time: number): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(time).toUTCString()) ?? [];
  return `${day}-${month}-${year} ${clock} +0000`;
}
