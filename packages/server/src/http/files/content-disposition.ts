/**
 * The header that says whether a file is shown or saved, and under which name: for old clients in ASCII, for all others
 * unchanged (RFC 6266, RFC 5987).
 */
export function contentDisposition(disposition: "inline" | "attachment", name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
