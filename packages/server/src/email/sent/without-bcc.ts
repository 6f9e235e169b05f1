const LF = 10;

/**
 * A mail without its Bcc, which the copy in the folder of sent mails has and no other one: who reads the original later is not to see whom
 * only its sender knew of. Everything else stays byte for byte.
 */
export function withoutBcc(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const kept: Buffer[] = [];
  let isKept = true;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LF, start);
    const end = found === -1 ? bytes.length : found + 1;
    // One byte is one character. No more of a line is needed to see what it is.
    const line = bytes.subarray(start, Math.min(end, start + NAME_MAX)).toString("latin1");
    if (/^\r?\n/.test(line)) return Buffer.concat([...kept, bytes.subarray(start)]);
    if (!/^[ \t]/.test(line)) isKept = !/^(?:resent-)?bcc[ \t]*:/i.test(line);
    if (isKept) kept.push(bytes.subarray(start, end));
    start = end;
  }
  return Buffer.concat(kept);
}

const NAME_MAX = 100;
