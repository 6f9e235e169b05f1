/** Bytes of a frame's head, at most (RFC 6455, 5.2): two, eight of a long length, four of a mask. */
const LONGEST_HEAD = 14;
/** Opcodes from here on are control frames: they may come between the parts of a message and end none. */
const FIRST_CONTROL = 8;

export interface MessageProgress {
  /** Takes the bytes as they arrive; returns how many messages they have completed, including control frames. */
  see(bytes: Buffer): number;
  /** Whether a message has begun and is not complete yet. */
  isUnderWay(): boolean;
}

/**
 * Follows the frames that a client sends over a WebSocket, to know whether a message is under way. It stores and checks
 * nothing: that is done by the library, which does not expose this.
 *
 * ```
 *          head is whole            payload is whole, last part of its message
 *   head ----------------> payload --------------------------------------------> head, nothing under way
 *     ^                        |
 *     '------------------------'  payload is whole, more parts follow
 * ```
 */
export function messageProgress(): MessageProgress {
  const head = Buffer.alloc(LONGEST_HEAD);
  let headBytes = 0;
  /** Of the payload; undefined while the head is read. */
  let left: number | undefined;
  /** Parts of a message have arrived, and the last one has not. */
  let isFragmented = false;

  return {
    see(bytes) {
      let completed = 0;
      let at = 0;
      while (at < bytes.length || left === 0) {
        if (left === undefined) {
          head[headBytes] = bytes[at] as number;
          headBytes += 1;
          at += 1;
          if (headBytes >= 2 && headBytes === headLength(head)) left = payloadLength(head);
          continue;
        }
        const taken = Math.min(left, bytes.length - at);
        at += taken;
        left -= taken;
        if (left > 0) continue;
        if (endsMessage()) completed += 1;
        headBytes = 0;
        left = undefined;
      }
      return completed;
    },
    isUnderWay: () => headBytes > 0 || isFragmented,
  };

  function endsMessage(): boolean {
    const first = head[0] as number;
    const isLast = (first & 0x80) !== 0;
    if ((first & 0x0f) >= FIRST_CONTROL) return !isFragmented;
    isFragmented = !isLast;
    return isLast;
  }
}

function headLength(head: Buffer): number {
  const second = head[1] as number;
  const length = second & 0x7f;
  return 2 + (length === 127 ? 8 : length === 126 ? 2 : 0) + (second & 0x80 ? 4 : 0);
}

function payloadLength(head: Buffer): number {
  const length = (head[1] as number) & 0x7f;
  if (length === 127) return Number(head.readBigUInt64BE(2));
  return length === 126 ? head.readUInt16BE(2) : length;
}
