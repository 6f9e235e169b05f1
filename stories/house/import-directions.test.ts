import { expect, test } from "vitest";
import { sourceFiles } from "./source-files.ts";

const server = sourceFiles("packages/server/src");
const core = sourceFiles("packages/core/src");
const client = sourceFiles("packages/client/src");

test("the surfaces never reach into the storage", () => {
  const surfaces = server.filter(({ path }) => /^packages\/server\/src\/(http|mcp|live|tools)\//.test(path));
  expect(surfaces.length).toBeGreaterThan(10);
  // A port may be named as a type where a surface is handed it (`check()` of /health/ready); SQL and tables may not.
  const allowed = new Set(["packages/server/src/storage/database.ts"]);
  for (const { path, imports } of surfaces) {
    const forbidden = imports.filter(
      (name) => (/\/storage\//.test(name) && !allowed.has(name)) || /-store\.ts$/.test(name),
    );
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("core/domain imports nothing from outside itself", () => {
  for (const { path, imports } of core.filter(({ path }) => path.startsWith("packages/core/src/domain/"))) {
    const forbidden = imports.filter((name) => !name.startsWith("packages/core/src/domain/"));
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("core knows neither the server nor the client, and does no I/O", () => {
  for (const { path, imports } of core) {
    const forbidden = imports.filter((name) => !name.startsWith("packages/core/") && name !== "typebox");
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("the client knows only core", () => {
  for (const { path, imports } of client) {
    const forbidden = imports.filter(
      (name) => !name.startsWith("packages/client/") && !name.startsWith("@frontdesk/core"),
    );
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("the widget loads the client's part for visitors, and of core nothing", () => {
  const widget = sourceFiles("packages/widget/src", /\.tsx?$/);
  expect(widget.length).toBeGreaterThan(15);
  for (const { path, imports } of widget) {
    const forbidden = imports.filter(
      (name) => !name.startsWith("packages/widget/") && name !== "@frontdesk/client/visitor",
    );
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("all SQL stands in a *-store.ts or in the storage itself", () => {
  for (const { path, imports } of server) {
    if (/-store\.ts$/.test(path) || path.startsWith("packages/server/src/storage/")) continue;
    const forbidden = imports.filter((name) => name === "kysely" || name === "pg" || name === "node:sqlite");
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

/** The product: what runs inside a transaction. */
const product = server.filter(({ path }) =>
  /^packages\/server\/src\/(files\/(start|finish|drop|open|take)-|(agents|assistants|contacts|conversations|custom-data|events|idempotency|inbox|knowledge|tags|teams|webhooks|widgets)\/)/.test(
    path,
  ),
);

test("nothing inside a transaction can reach the network", () => {
  expect(product.length).toBeGreaterThan(30);
  const network = /^(node:)?(net|tls|http|https|http2|dgram|dns)(\/|$)|^(undici|nodemailer|ws|ioredis|aws4fetch)$/;
  for (const { path, imports, text } of product) {
    expect({ path, forbidden: imports.filter((name) => network.test(name)) }).toEqual({ path, forbidden: [] });
    expect(text, path).not.toMatch(/\bfetch\(/);
  }
});

test("the product takes clock, ids and randomness from its context", () => {
  for (const { path, text } of product) {
    expect(text, path).not.toMatch(
      /Date\.now|new Date\(\)|performance\.now|Math\.random|randomBytes|randomUUID|setTimeout|setInterval/,
    );
  }
});
