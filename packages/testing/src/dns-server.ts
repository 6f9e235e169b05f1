/** A name server on loopback with records set by a test. Speaks as much DNS as `node:dns` needs. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { isIPv4 } from "node:net";

export type RecordType = "A" | "AAAA";

/** Addresses of the requested type; `unknown` is a missing name, and `silent` means no answer at all. */
export type DnsAnswer = readonly string[] | "unknown" | "broken" | "silent";

export interface DnsServer {
  /** In the form of `Resolver.setServers`. */
  address: string;
  /** Every question, in order: `A receiver.test`. */
  asked: string[];
  close(): Promise<void>;
}

const TYPES: Record<number, RecordType> = { 1: "A", 28: "AAAA" };
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
    const records = typeof said === "string" ? [] : said.filter((address) => isIPv4(address) === (type === "A"));
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(message.readUInt16BE(0), 0);
    header.writeUInt16BE(RESPONSE_WITH_RECURSION | (typeof said === "string" ? CODE[said] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const parts = [header, message.subarray(HEADER_BYTES, end), ...records.map((address) => recordOf(type, address))];
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
  if (!type) throw new Error("Only addresses can be asked for here.");
  return { name: labels.join("."), type, end: at + 5 };
}

/** For the name in the question, with a TTL of 0. */
function recordOf(type: RecordType, address: string): Buffer {
  const data = type === "A" ? Buffer.from(address.split(".").map(Number)) : ipv6Bytes(address);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  record.writeUInt16BE(type === "A" ? 1 : 28, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [front = [], back = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  const groups = [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
