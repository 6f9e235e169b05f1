import Fastify from "fastify";
import { expect, test } from "vitest";
import { mailFrameRoutes } from "./mail-frame-routes.ts";

const app = Fastify();
app.register(mailFrameRoutes);

test.each([
  ["/app/mail-frame", "img-src data:"],
  ["/app/mail-frame?images=all", "img-src data:"],
  ["/app/mail-frame?images=remote", "img-src data: 'self'"],
])("the page for a mail at %s allows no script, no request, and of images: %s", async (url, images) => {
  const { headers, payload, statusCode } = await app.inject(url);
  expect(statusCode).toBe(200);
  expect(headers["content-security-policy"]).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; ` +
      "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  );
  expect(headers).toMatchObject({ "x-frame-options": "SAMEORIGIN", "x-dns-prefetch-control": "off" });
  expect(payload).not.toMatch(/<script|<link|src=|url\(/);
});
