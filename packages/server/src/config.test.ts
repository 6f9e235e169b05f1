import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings, type Settings } from "./config.ts";

function problemsOf(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

it("nothing has to be set", () => {
  expect(readSettings({ PORT: "", LOG_LEVEL: " " })).toEqual({
    port: 8080,
    host: "127.0.0.1",
    publicUrl: "http://127.0.0.1:8080",
    dataDir: resolve("data"),
    databaseUrl: undefined,
    redisUrl: undefined,
    redisTimeoutMs: 100,
    restRateLimit: 60,
    toolRateLimit: 120,
    visitorBoundsFactor: 1,
    webhookAllowedNetworks: [],
    channelAllowedNetworks: [],
    oauthClientDocuments: true,
    ssoAllowedNetworks: [],
    ai: undefined,
    aiAllowedNetworks: [],
    lmtpPort: undefined,
    lmtpHost: "127.0.0.1",
    webhookRetryWaits: [60_000, 300_000, 900_000],
    trustProxy: false,
    logLevel: "info",
    smtpUrl: undefined,
    mailFrom: "Frontdesk <no-reply@localhost>",
    s3: undefined,
    uploadMaxBytes: 25 * 1_048_576,
    secretKey: undefined,
    previousSecretKey: undefined,
  } satisfies Settings);
});

it("the public address follows HOST and PORT, and mail comes from its host", () => {
  expect(readSettings({ HOST: "0.0.0.0", PORT: "3000" }).publicUrl).toBe("http://localhost:3000");
  expect(readSettings({ HOST: "::1" }).publicUrl).toBe("http://[::1]:8080");
  const behindProxy = readSettings({ PUBLIC_URL: "https://chat.acme.test/help/" });
  expect(behindProxy.publicUrl).toBe("https://chat.acme.test/help");
  expect(behindProxy.mailFrom).toBe("Frontdesk <no-reply@chat.acme.test>");
});

describe("a bucket for files", () => {
  const keys = { S3_BUCKET: "acme-files", S3_ACCESS_KEY_ID: "AKIA1", S3_SECRET_ACCESS_KEY: "se/cr+et" };

  it("is one of Amazon's when no address is given, and its name is part of the address there", () => {
    expect(readSettings({ ...keys, S3_REGION: "eu-central-1" }).s3).toEqual({
      endpoint: "https://s3.eu-central-1.amazonaws.com",
      region: "eu-central-1",
      bucket: "acme-files",
      accessKeyId: "AKIA1",
      secretAccessKey: "se/cr+et",
      pathStyle: false,
    });
  });

  it("is named in the path of any other address, unless that is switched off", () => {
    const at = { ...keys, S3_ENDPOINT: "https://files.acme.test:9000/" };
    expect(readSettings(at).s3).toMatchObject({ endpoint: "https://files.acme.test:9000", pathStyle: true });
    expect(readSettings({ ...at, S3_FORCE_PATH_STYLE: "off" }).s3).toMatchObject({ pathStyle: false });
  });

  it("needs its name and both keys: what is missing is reported", () => {
    expect(problemsOf({ S3_ENDPOINT: "https://files.acme.test" }).match(/\w+ is missing/g)).toEqual([
      "S3_BUCKET is missing",
      "S3_ACCESS_KEY_ID is missing",
      "S3_SECRET_ACCESS_KEY is missing",
    ]);
  });
});

it("all problems are reported together, each with what would be right, and no secret is repeated", () => {
  const told = problemsOf({
    PORT: "80a",
    HOST: "a b",
    PUBLIC_URL: "https://ada:geheim@chat.test",
    DATABASE_URL: "mysql://root:geheim@db/x",
    REDIS_URL: "http://:geheim@redis",
    REDIS_TIMEOUT_MS: "0",
    REST_RATE_LIMIT: "0",
    TRUST_PROXY: "10.0.0.0/8, 10.0.0.0/64",
    LOG_LEVEL: "loud",
    SMTP_URL: "geheim",
    MAIL_FROM: "Acme\r\nBcc: all@acme.test",
    VISITOR_BOUNDS_FACTOR: "0",
    WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8, localhost, 0.0.0.0/0",
    S3_BUCKET: "My Bucket",
    S3_SECRET_ACCESS_KEY: "geheim geheim",
    S3_FORCE_PATH_STYLE: "perhaps",
    UPLOAD_MAX_MB: "0",
    SECRET_KEY: "geheim",
  });
  expect(told.split("\n").map((line) => line.trim().split(" ")[0])).toEqual(
    "These PORT HOST PUBLIC_URL DATABASE_URL REDIS_URL REDIS_TIMEOUT_MS REST_RATE_LIMIT VISITOR_BOUNDS_FACTOR WEBHOOK_ALLOWED_NETWORKS TRUST_PROXY LOG_LEVEL SMTP_URL MAIL_FROM S3_ACCESS_KEY_ID S3_BUCKET S3_SECRET_ACCESS_KEY S3_FORCE_PATH_STYLE UPLOAD_MAX_MB SECRET_KEY".split(
      " ",
    ),
  );
  expect(told).toContain('PORT is "80a". It must be a whole number from 0 to 65535.');
  expect(told).toContain('TRUST_PROXY contains "10.0.0.0/64".');
  expect(told).toContain('WEBHOOK_ALLOWED_NETWORKS contains "localhost", "0.0.0.0/0".');
  expect(told).not.toContain("geheim");
});

it("whether mail needs TLS is said plainly, or refused", () => {
  for (const right of [
    "smtp://a.test?requireTLS",
    "smtp://a.test:587/?requiretls=no&pool=true",
    "smtps://u:p@a.test",
  ]) {
    expect(readSettings({ SMTP_URL: right }).smtpUrl).toBe(right);
  }
  expect(problemsOf({ SMTP_URL: "smtp://u:geheim@a.test?requireTLS=perhaps" })).toMatch(
    /SMTP_URL has an invalid requireTLS/,
  );
});

it("trusted proxies are all, none, addresses, or a number of hops", () => {
  const trust = (text: string) => readSettings({ TRUST_PROXY: text }).trustProxy;
  expect([trust("true"), trust("off"), trust("")]).toEqual([true, false, false]);
  expect(trust("10.0.0.0/8, ::1,loopback")).toEqual(["10.0.0.0/8", "::1", "loopback"]);
  const hops = trust("2") as (address: string, hop: number) => boolean;
  expect([0, 1, 2].map((hop) => hops("192.0.2.1", hop))).toEqual([true, true, false]);
});

it("own networks that webhooks may reach are networks and single addresses", () => {
  const allowed = (text: string) => readSettings({ WEBHOOK_ALLOWED_NETWORKS: text }).webhookAllowedNetworks;
  expect(allowed("")).toEqual([]);
  expect(allowed("127.0.0.0/8,::1 , 10.1.0.0/16")).toEqual(["127.0.0.0/8", "::1", "10.1.0.0/16"]);
  for (const wrong of [",", "10.0.0.0/8,", "10.0.0.0/33", "fe80::1%eth0", "*", "10.0.0.1-9"]) {
    expect(problemsOf({ WEBHOOK_ALLOWED_NETWORKS: wrong }), wrong).toContain("WEBHOOK_ALLOWED_NETWORKS contains");
  }
});

describe("a language model", () => {
  const server = { AI_BASE_URL: "https://models.acme.test/v1/", AI_MODEL: "llama3.1:8b" };

  it("is a server and a name; key and embedding model can be missing", () => {
    const { ai } = readSettings(server);
    expect(ai).toEqual({
      ...{ baseUrl: "https://models.acme.test/v1", model: "llama3.1:8b" },
      ...{ apiKey: "", embeddingModel: "" },
    });
    const all = readSettings({ ...server, AI_API_KEY: "sk-1", AI_EMBEDDING_MODEL: "bge-m3" });
    expect(all.ai).toMatchObject({ apiKey: "sk-1", embeddingModel: "bge-m3" });
  });

  it("may be on this machine or in a private network without TLS: the operator has set it", () => {
    for (const url of ["http://127.0.0.1:11434/v1", "http://ollama:11434/v1", "http://[fd00::1]:8000"])
      expect(readSettings({ ...server, AI_BASE_URL: url }).ai).toMatchObject({ baseUrl: url });
  });

  it("needs server and name: what is missing is reported", () => {
    expect(problemsOf({ AI_BASE_URL: server.AI_BASE_URL })).toContain("AI_MODEL is missing.");
    expect(problemsOf({ AI_MODEL: "llama3.1:8b" })).toContain("AI_BASE_URL is missing.");
    expect(problemsOf({ AI_API_KEY: "sk-1" }).match(/\w+ is missing/g)).toEqual([
      "AI_BASE_URL is missing",
      "AI_MODEL is missing",
    ]);
  });

  it("is reported when it is none, and its key is not shown", () => {
    const told = problemsOf({
      ...{ AI_BASE_URL: "https://u:geheim@models.acme.test", AI_MODEL: "x".repeat(201) },
      ...{ AI_API_KEY: "geheim geheim", AI_EMBEDDING_MODEL: "a\u0007b" },
    });
    expect(told.match(/AI_\w+ (is|must|contains) /g)).toEqual([
      ...["AI_BASE_URL must ", "AI_MODEL is ", "AI_API_KEY contains ", "AI_EMBEDDING_MODEL is "],
    ]);
    expect(told).not.toContain("geheim");
  });

  it("of a team may be in listed networks, as narrow as one host", () => {
    const allowed = (text: string) => readSettings({ AI_ALLOWED_NETWORKS: text }).aiAllowedNetworks;
    expect(allowed("10.1.2.3/32, 127.0.0.1,fd00::1/128")).toEqual(["10.1.2.3/32", "127.0.0.1", "fd00::1/128"]);
    expect(problemsOf({ AI_ALLOWED_NETWORKS: "localhost" })).toContain('AI_ALLOWED_NETWORKS contains "localhost".');
  });
});

it("mails are handed over on this machine or in a private network alone", () => {
  expect(readSettings({ LMTP_PORT: "2424", LMTP_HOST: "[::1]" })).toMatchObject({ lmtpPort: 2_424, lmtpHost: "::1" });
  for (const right of ["10.1.2.3", "fd00::1", "0.0.0.0", "frontdesk.internal"]) {
    expect(readSettings({ LMTP_HOST: right }).lmtpHost).toBe(right);
  }
  expect(
    problemsOf({ LMTP_HOST: "8.8.8.8", LMTP_PORT: "0" })
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual([
    "These 2 settings are invalid:",
    'LMTP_PORT is "0". It must be a whole number from 1 to 65535.',
    expect.stringMatching(/^LMTP_HOST is "8\.8\.8\.8", which is a public address\./),
  ]);
});

it("the secret key is 32 bytes, as base64 or as hex", () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
  for (const encoding of ["hex", "base64", "base64url"] as const) {
    expect(readSettings({ SECRET_KEY: key.toString(encoding) }).secretKey).toEqual(key);
  }
  expect(problemsOf({ SECRET_KEY: key.subarray(1).toString("base64") })).toContain("32 bytes");
});
