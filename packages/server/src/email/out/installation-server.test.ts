import { expect, test } from "vitest";
import { installationServer } from "./installation-server.ts";

const plain = { kind: "installation", secure: false, requireTls: false, username: "", password: "" };

test.each([
  ["smtp://mail.example", { ...plain, host: "mail.example", port: 587 }],
  ["smtp://mail.example:25?requireTLS", { ...plain, host: "mail.example", port: 25, requireTls: true }],
  ["smtps://mail.example", { ...plain, host: "mail.example", port: 465, secure: true }],
  [
    "smtps://ada%40acme.example:p%2Fs%3A@[::1]:2465",
    { ...plain, host: "::1", port: 2465, secure: true, username: "ada@acme.example", password: "p/s:" },
  ],
])("%s is the installation's mail server", (url, server) => {
  expect(installationServer(url)).toEqual(server);
});
