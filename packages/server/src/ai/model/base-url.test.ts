import { expect, test } from "vitest";
import { checkBaseUrl, modelNetwork } from "./base-url.ts";

const closed = modelNetwork({ aiAllowedNetworks: [], ai: undefined });
const host = modelNetwork({ aiAllowedNetworks: ["10.1.2.3/32"], ai: undefined });
const own = modelNetwork({ aiAllowedNetworks: ["127.0.0.0/8"], ai: undefined });

test.each(["https://api.openai.com/v1", "https://8.8.8.8/v1", "https://[2606:4700::1111]:8443/", "https://a.test."])(
  "%s can be chosen by any team",
  (url) => {
    for (const network of [closed, host, own]) expect(checkBaseUrl(url, network)).toBeUndefined();
  },
);

test.each(["", "api.openai.com", "ftp://a.test", "https://u:p@a.test", "https://a.test/?k=1", "https://a.test/#x"])(
  "%j is no base URL",
  (url) => {
    for (const network of [closed, own]) expect(checkBaseUrl(url, network)).toBe("ai-base-url");
  },
);

test.each([
  ...["https://127.0.0.1/v1", "http://127.0.0.1:11434/v1", "http://2130706433/", "http://0x7f.1/", "http://[::1]/"],
  ...["http://[::ffff:127.0.0.1]/", "https://10.1.2.4/v1", "http://169.254.169.254/latest", "http://192.168.0.1"],
  ...["http://localhost:11434/v1", "https://LOCALHOST./v1", "https://a.localhost"],
])("%s is refused at once where only another address is listed", (url) => {
  for (const network of [closed, host]) expect(checkBaseUrl(url, network)).toBe("ai-base-url-private");
});

test.each(["http://ollama:11434/v1", "https://gpu.local/v1", "https://metadata.google.internal/"])(
  "%s is refused where nothing is listed; else its addresses decide at each connection",
  (url) => {
    expect(checkBaseUrl(url, closed)).toBe("ai-base-url-private");
    expect(checkBaseUrl(url, host)).toBeUndefined();
  },
);

test("without TLS nothing public is reached", () => {
  expect(checkBaseUrl("http://api.openai.com/v1", closed)).toBe("ai-base-url-plain");
  for (const network of [closed, host, own])
    expect(checkBaseUrl("http://8.8.8.8/v1", network)).toBe("ai-base-url-plain");
});

test("what is listed can be reached with and without TLS", () => {
  for (const url of ["http://10.1.2.3:8000/v1", "https://10.1.2.3/v1"]) expect(checkBaseUrl(url, host)).toBeUndefined();
  for (const url of ["http://127.0.0.1:11434/v1", "http://localhost:11434/v1"])
    expect(checkBaseUrl(url, own)).toBeUndefined();
});

test("the server that the operator has named can be chosen, and no other port of its host", () => {
  const named = modelNetwork({ aiAllowedNetworks: [], ai: { baseUrl: "http://127.0.0.1:11434/v1" } });
  expect(checkBaseUrl("http://127.0.0.1:11434/v1", named)).toBeUndefined();
  for (const url of ["http://127.0.0.1:6379/v1", "https://127.0.0.1:11434/v1", "http://localhost:11434/v1"])
    expect(checkBaseUrl(url, named)).toBe("ai-base-url-private");
});
