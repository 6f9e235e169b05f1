/** Mails as a support mailbox gets them, each of a sender of its own: many mails of one are held. */

const WORDS = "We ordered the blue chair last week, and it has not come yet. Can you look where it is? ";
const PARAGRAPH = `<p style="margin:0 0 12px;font-family:Arial,sans-serif">${WORDS.repeat(3)}</p>\r\n`;
const KIB = 1_024;
const FILE = wrapped(Buffer.alloc(75 * KIB, 7).toString("base64"));

/** Of ten, six are short texts (1 KB), three have HTML too (20 KB), and one has a file (100 KB). */
export function sampleMail(n: number): string {
  const head = `From: "Person ${n}" <person${n}@people.example>\r\nTo: support@shop.example\r\nSubject: Order ${n}\r\nMessage-ID: <${n}@people.example>\r\nDate: Sat, 28 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n`;
  const text = `Content-Type: text/plain; charset=utf-8\r\n\r\nHello,\r\n\r\n${wrapped(WORDS.repeat(6))}\r\nPerson ${n}\r\n`;
  if (n % 10 < 6) return head + text;
  if (n % 10 < 9) {
    const html = `Content-Type: text/html; charset=utf-8\r\n\r\n<html><body>${PARAGRAPH.repeat(55)}</body></html>\r\n`;
    return head + multipart("alternative", [text, html]);
  }
  const file = `Content-Type: application/pdf; name="order ${n}.pdf"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="order ${n}.pdf"\r\n\r\n${FILE}\r\n`;
  return head + multipart("mixed", [text, file]);
}

export function multipart(subtype: string, parts: readonly string[], boundary = "b1"): string {
  const all = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n${all}--${boundary}--\r\n`;
}

/** In lines, as mails have them. */
export function wrapped(text: string): string {
  return text.replaceAll(/.{1,76}/g, "$&\r\n");
}
