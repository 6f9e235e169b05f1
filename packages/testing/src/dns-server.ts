/** A name server on loopback with records set by a test. Speaks as much DNS as `node:dns` needs. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { isIP, isIPv4 } from "node:net";

export type RecordType = "A" | "AAAA" | "MX" | "SRV";

/**
 * Records of the requested type, addresses of either: `10 mail.acme.test` as MX, `0 1 993 imap.acme.test` as SRV. `unknown` is a
 * missing name, and `silent` means no answer at all.
 */
export type DnsAnswer = readonly string[] | "unknown" | "broken" | "silent";

export interface DnsServer {
  /** In the form of `Resolver.setServers`. */
  address: string;
  /** Every question, in order: `A receiver.test`. */
  asked: string[];
  close(): Promise<void>;
}

const TYPES: Record<number, RecordType> = { 1: "A", 15: "MX", 28: "AAAA", 33: "SRV" };
const HEADER_BYTES = 12;
const RESPONSE_WITH_RECURSION = 0x8180;
const CODE = { unknown: 3, broken: 2 };

export async function startDnsServer(answer: (name: string, type: RecordType) => DnsAnswer): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => {
    const { name, type, end } = questionOf(message);
    asked.push(`${type} ${name}`);
    const said = answer(name, type);
    if (said === "silent") return;
    const records = typeof said === "string" ? [] : said.filter((record) => typeOf(record, type) === type);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(message.readUInt16BE(0), 0);
    header.writeUInt16BE(RESPONSE_WITH_RECURSION | (typeof said === "string" ? CODE[said] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const parts = [header, message.subarray(HEADER_BYTES, end), ...records.map((record) => recordOf(type, record))];
    socket.send(Buffer.concat(parts), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function questionOf(message: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = TYPES[message.readUInt16BE(at + 1)];
  if (!type) throw new Error("This type of record can't be asked for here.");
  return { name: labels.join("."), type, end: at + 5 };
}

/** A name server that knows only addresses has those of both families. */
function typeOf(record: string, asked: RecordType): RecordType {
  if (isIP(record) === 0) return asked;
  return isIPv4(record) ? "A" : "AAAA";
}

/** For the name in the question, with a TTL of 0. */
function recordOf(type: RecordType, written: string): Buffer {
  const data = dataOf(type, written);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  record.writeUInt16BE(Number(Object.keys(TYPES).find((number) => TYPES[Number(number)] === type)), 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function dataOf(type: RecordType, written: string): Buffer {
  if (type === "A") return Buffer.from(written.split(".").map(Number));
  if (type === "AAAA") return ipv6Bytes(written);
  const words = written.split(" ");
  const numbers = words.slice(0, -1).map((word) => [Number(word) >> 8, Number(word) & 0xff]);
  return Buffer.concat([Buffer.from(numbers.flat()), nameBytes(words.at(-1) ?? "")]);
}

/** Without compression; `.` is the root. */
function nameBytes(name: string): Buffer {
  const labels = name.split(".").filter(Boolean);
  return Buffer.concat([...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.alloc(1)]);
}

function ipv6Bytes(address: string): Buffer {
  const [front = [], back = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  const groups = [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
