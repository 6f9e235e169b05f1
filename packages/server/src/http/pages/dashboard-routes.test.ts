import { createHash } from "node:crypto";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { app, team } = await startTestApp();
await team();

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await app.http.inject({ method: "GET", url, headers });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
}

test("the way in leads to the dashboard", async () => {
  const { status, headers } = await get("/");
  expect(status).toBe(302);
  expect(headers.location).toBe("/app");
});

test("the one page is served at every address, and says itself which it does not have", async () => {
  const { text } = await get("/app");
  const paths = ["/inbox", "/inbox/some-id", "/settings/team", "/join/a-token", "/setup", "/nothing", "/", "/x?q=100%"];
  for (const path of paths) {
    const page = await get(`/app${path}`);
    expect(page.status, path).toBe(200);
    expect(page.text, path).toBe(text);
  }
});

test("of its API and its files, what does not exist is refused in their form", async () => {
  for (const path of ["/app/api", "/app/api/nothing", "/app/api/setup"]) {
    const { status, headers } = await get(path);
    expect([status, headers["content-type"]], path).toEqual([
      path.endsWith("setup") ? 405 : 404,
      expect.stringMatching(/json/),
    ]);
  }
  expect((await get("/app/assets/a/b.js")).status).toBe(404);
  expect((await app.http.inject({ method: "POST", url: "/app/api/nothing" })).statusCode).toBe(404);
});

test("older links lead to the pages for setting up and joining, and no page tells its address to others", async () => {
  for (const [old, now] of [
    ["/setup?token=a-token_1", "/app/setup#a-token_1"],
    ["/setup?token=a%22%0D%0Ab", "/app/setup#a%22%0D%0Ab"],
    ["/setup?token=a&token=b", "/app/setup#"],
    ["/setup", "/app/setup#"],
    ["/join/fd_invite_x", "/app/join/fd_invite_x"],
    ["/join/a%2F..%2Fb", "/app/join/a%2F..%2Fb"],
  ] as const) {
    const { status, headers } = await get(old);
    expect([status, headers.location, headers["referrer-policy"]], old).toEqual([302, now, "no-referrer"]);
  }
  for (const path of ["/app/setup", "/app/join/fd_invite_x"]) {
    expect((await get(path)).headers["referrer-policy"]).toBe("no-referrer");
  }
});

test("below a path of a proxy, they lead there as well", async () => {
  const below = await startTestApp({ PUBLIC_URL: "https://acme.test/chat" });
  for (const [old, now] of [
    ["/", "/chat/app"],
    ["/app", "/chat/app/setup"],
    ["/setup?token=x", "/chat/app/setup#x"],
    ["/join/x", "/chat/app/join/x"],
  ] as const) {
    expect((await below.app.http.inject(old)).headers.location).toBe(now);
  }
});

test("without a team, every address leads to the set-up, until there is one", async () => {
  const fresh = await startTestApp();
  const at = (url: string) => fresh.app.http.inject(url);
  for (const url of ["/app", "/app/sign-in", "/app/inbox/some-id", "/app/nothing"]) {
    const { statusCode, headers } = await at(url);
    expect([statusCode, headers.location], url).toEqual([302, "/app/setup"]);
  }
  expect((await at("/app/setup")).statusCode).toBe(200);
  expect((await at("/app/api/me")).statusCode).toBe(401);
  await fresh.team();
  for (const url of ["/app", "/app/sign-in", "/app/setup"]) expect((await at(url)).statusCode, url).toBe(200);
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
