const YES = new Set(["", "1", "true", "yes", "on"]);
const NO = new Set(["0", "false", "no", "off"]);

/** Whether `requireTLS` in an address, if present, is written in a valid form. */
export function isReadableSmtpUrl(smtpUrl: string): boolean {
  return tlsWishes(new URL(smtpUrl)).every(([, value]) => YES.has(value) || NO.has(value));
}

/** `?requireTLS` is parsed here, in any case and without a value: nodemailer accepts only `=true`, and treats others as no. */
export function readSmtpUrl(smtpUrl: string): { url: string; requireTls: boolean } {
  const url = new URL(smtpUrl);
  const wishes = tlsWishes(url);
  if (wishes.length === 0) return { url: smtpUrl, requireTls: false };
  for (const [name] of wishes) url.searchParams.delete(name);
  return { url: url.href, requireTls: wishes.some(([, value]) => YES.has(value)) };
}

function tlsWishes({ searchParams }: URL): [name: string, value: string][] {
  return [...searchParams]
    .filter(([name]) => name.toLowerCase() === "requiretls")
    .map(([name, value]) => [name, value.toLowerCase()]);
}
