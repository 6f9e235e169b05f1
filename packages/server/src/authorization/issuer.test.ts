import { expect, test } from "vitest";
import { isOnInternet, issuerOf } from "./issuer.ts";

test.each([
  ["https://chat.example.com", { url: "https://chat.example.com" }],
  ["https://chat.example.com:8443", { url: "https://chat.example.com:8443" }],
  ["http://localhost:8080", { url: "http://localhost:8080" }],
  ["http://127.0.0.1:8080", { url: "http://127.0.0.1:8080" }],
  ["http://127.1.2.3", { url: "http://127.1.2.3" }],
  ["http://[::1]:8080", { url: "http://[::1]:8080" }],
  ["http://chat.example.com", { off: "not-https" }],
  ["http://10.1.2.3", { off: "not-https" }],
  ["http://localhost.example.com", { off: "not-https" }],
  ["http://127.0.0.1.example.com", { off: "not-https" }],
  ["https://example.com/chat", { off: "has-path" }],
  ["http://localhost/chat", { off: "has-path" }],
])("%s", (publicUrl, issuer) => {
  expect(issuerOf(publicUrl)).toEqual(issuer);
});

test.each([
  ["https://chat.example.com", true],
  ["https://chat.example.com.", true],
  ["https://93.184.215.14", true],
  ["https://[2606:4700::1111]", true],
  ["http://localhost:8080", false],
  ["http://127.0.0.1", false],
  ["https://10.1.2.3", false],
  ["https://[::1]", false],
  ["https://[fd00::1]", false],
  ["https://desk.local", false],
  ["https://desk", false],
])("%s is on the internet: %s", (publicUrl, expected) => {
  expect(isOnInternet(publicUrl)).toBe(expected);
});
