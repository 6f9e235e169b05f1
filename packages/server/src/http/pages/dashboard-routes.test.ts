import { createHash } from "node:crypto";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { app } = await startTestApp();

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await app.http.inject({ method: "GET", url, headers });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
}

test("the way in leads to the dashboard", async () => {
  const { status, headers } = await get("/");
  expect(status).toBe(302);
  expect(headers.location).toBe("/app");
});

test("the one page is served at every address of its screens, and at no other", async () => {
  const { text } = await get("/app");
  for (const path of ["/inbox", "/inbox/some-id", "/settings/team", "/join/a-token", "/reset-password"]) {
    const page = await get(`/app${path}`);
    expect(page.status, path).toBe(200);
    expect(page.text, path).toBe(text);
  }
  expect((await get("/app/nothing")).status).toBe(404);
  expect((await get("/app/api/nothing")).headers["content-type"]).toMatch(/json/);
});

test("it runs our scripts and the one inside it, is never framed or cached", async () => {
  const { text, headers } = await get("/app");
  const policy = String(headers["content-security-policy"]);
  const inside = text.match(/<script>([\s\S]*?)<\/script>/g) ?? [];
  expect(inside).toHaveLength(1);
  const hash = createHash("sha256")
    .update(inside[0]?.slice("<script>".length, -"</script>".length) ?? "")
    .digest("base64");
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(headers["cache-control"]).toBe("no-store");
});

test("its files are kept for ever under names of their content, and come compressed", async () => {
  const script = /src="([^"]+\.js)"/.exec((await get("/app")).text)?.[1] ?? "";
  const plain = await get(script);
  expect(plain.status).toBe(200);
  expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(plain.headers["content-type"]).toMatch(/javascript/);
  const small = await get(script, { "accept-encoding": "br, gzip" });
  expect(small.headers["content-encoding"]).toBe("gzip");
  expect(Number(small.headers["content-length"])).toBeLessThan(plain.text.length);
  expect((await get("/app/assets/index-gone.js")).status).toBe(404);
  expect((await get("/app/assets/..%2findex.html")).status).toBe(404);
});
