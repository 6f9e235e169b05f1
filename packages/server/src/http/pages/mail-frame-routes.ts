import type { FastifyInstance } from "fastify";
import type { RawQuery } from "../framework/query-string.ts";

/**
 * The empty page in which the dashboard shows the HTML of a mail. It is a page of its own because a frame without an address has the
 * policy of the page around it, which allows scripts and forbids the styles of mails.
 */
export async function mailFrameRoutes(app: FastifyInstance): Promise<void> {
  app.get("/app/mail-frame", async (request, reply) => {
    const { images } = request.query as RawQuery;
    return reply
      .headers({
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy(images === "remote"),
        "Cache-Control": "private, max-age=3600",
        "X-Frame-Options": "SAMEORIGIN",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-DNS-Prefetch-Control": "off",
        "X-Robots-Tag": "noindex",
      })
      .send(PAGE);
  });
}

/** No script and no request, whatever a mail says; with remote images, requests to our own address for images alone. */
function policy(withRemoteImages: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${withRemoteImages ? " 'self'" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  ].join("; ");
}

/** Mails are written for black on white, whatever the colors of the dashboard are. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light">
<title>Email</title>
<style>
html { background: #fff; }
body { margin: 0; padding: 12px; color: #1c1917; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; }
a { color: #0f766e; }
</style>
</head>
<body></body>
</html>
`;
