/** An admin asks whether claude.ai could reach this Frontdesk: at an address of the internet, through a proxy with TLS, in a real Chromium. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { ADA, openDashboard } from "@frontdesk/testing/agent-browser";
import { status } from "@frontdesk/testing/https-receiver";
import { passwordHashOf } from "@frontdesk/testing/password-hash";
import { startPublicApp } from "@frontdesk/testing/public-app";
import { expect, onTestFinished, test } from "vitest";

test("an admin checks the address: all is right, and then the proxy sends apps elsewhere", async () => {
  const { kit, publicUrl, proxy, pass } = await startPublicApp();
  const acme = await kit.team();
  const person = { name: "Cleo", email: "cleo@acme.test" };
  const passwordHash = await passwordHashOf(ADA.password);
  await kit.app.perform(acme.actor, createAgent, { ...person, role: "CHAT_AGENT_ADMIN", passwordHash });

  const options = { proxy: { server: await tunnelTo(proxy.port) }, ignoreHTTPSErrors: true };
  const { page } = await openDashboard({ frontdesk: { origin: publicUrl } }, "/settings/assistants", options);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(ADA.password);
  await page.keyboard.press("Enter");
  const check = page.getByRole("button", { name: "Check if the internet can reach it" });
  await check.click();
  await page.getByText("Apps can connect, as far as this server can see").waitFor();
  expect(await violations(page, "an address that is reached", inDarkScheme)).toEqual([]);

  const redirects = status(301, { location: "https://www.acme.test/" });
  proxy.answers((asked) => (asked.request.path.startsWith("/.well-known/") ? redirects(asked) : pass(asked)));
  await check.click();
  await page.getByText("redirects to https://www.acme.test/, and apps don’t follow").waitFor();
  expect(await violations(page, "an address that is not", inDarkScheme)).toEqual([]);
});

/** A proxy for the browser, which knows one server for every name. */
async function tunnelTo(port: number): Promise<string> {
  const server = createServer();
  server.on("connect", (_request, socket) => {
    const there = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.pipe(socket).pipe(there);
    });
    there.on("error", () => socket.destroy());
    socket.on("error", () => there.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
