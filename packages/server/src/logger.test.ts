import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

it("a log line has an ISO time and no secret, in whatever field", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  logger.info({
    req: { method: "GET", url: "/setup?token=geheim", ip: "::1", headers: { "x-api-key": "geheim" } },
    headers: { authorization: "geheim", cookie: "geheim" },
    request: { headers: { "x-api-key": "geheim", "set-cookie": "geheim" } },
    password: "geheim",
    mail: { payload: "geheim", api_key: "geheim" },
  });
  logger.info({ req: { method: "POST", url: "/join/geheim?x=geheim" } });
  for (const path of ["/app/join/geheim", "/app/api/join/geheim", "/files/geheim/map.png", "/below/join/geheim/"]) {
    logger.info({ req: { method: "GET", url: path } });
  }
  expect(lines).toHaveLength(6);
  expect(lines.join()).not.toContain("geheim");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    req: { method: "GET", path: "/setup" },
  });
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ req: { path: "/join/[hidden]" } });
});

it("an error is logged with its message and stack, without the secrets it carries", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  logger.warn(
    { err: Object.assign(new Error("no route to host"), { code: "EHOSTUNREACH", apiKey: "geheim" }) },
    "Failed",
  );
  logger.info("below the level");
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toContain("geheim");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: "Failed",
    err: { message: "no route to host", code: "EHOSTUNREACH", stack: expect.stringContaining("logger.test.ts") },
  });
});
