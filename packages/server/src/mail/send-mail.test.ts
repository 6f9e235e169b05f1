import { randomBytes } from "node:crypto";
import { jobHandlers } from "@frontdesk/testing/job-handlers";
import { startMailServer } from "@frontdesk/testing/mail-server";
import { PATIENT } from "@frontdesk/testing/patient";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import type { SystemActor } from "../access/actor.ts";
import { openVault } from "../access/vault.ts";
import { invitationLink } from "../agents/invitation-link.ts";
import { inviteAgents } from "../agents/invite-agents.ts";
import { createJobRunner } from "../jobs/job-runner.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { createTeam } from "../teams/create-team.ts";
import { AddressRefused, createMailer, sendMailJob } from "./send-mail.ts";

const { storage } = await openTestStorage();
await storage.migrate();

it("mail arrives, at the one address it is for", async () => {
  const { port, inbox, stop } = await startMailServer();
  onTestFinished(stop);
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: "Acme <chat@acme.test>" });
  await mailer.send({ to: "grace@acme.test", subject: "Grüße\r\nBcc: eve@x.test", text: "Hello\n.\nGrace" });
  expect(inbox).toHaveLength(1);
  expect(inbox[0]).toMatchObject({ from: "chat@acme.test", to: ["grace@acme.test"] });
  expect(inbox[0]?.raw).toMatch(/^From: Acme <chat@acme.test>\r$/m);
  expect(inbox[0]?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(inbox[0]?.raw).not.toMatch(/^Bcc:/m);
  expect(inbox[0]?.raw).toMatch(/Hello\r\n\.\r\nGrace/);
});

it("an address that the mail server refuses for good differs from a server that takes nothing", async () => {
  const { port, stop } = await startMailServer({ refuses: "gone@acme.test" });
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: "chat@acme.test" });
  const mail = { to: "gone@acme.test", subject: "Hello", text: "Hello" };
  await expect(mailer.send(mail)).rejects.toThrow(AddressRefused);
  await mailer.send({ ...mail, to: "here@acme.test" });
  await stop();
  await expect(mailer.send(mail)).rejects.not.toThrow(AddressRefused);
});

it("with requireTLS nothing is sent to a server that offers no TLS, and it is used where it is offered", async () => {
  const [plain, secure] = [await startMailServer(), await startMailServer({ offersTls: true })];
  onTestFinished(async () => void (await Promise.all([plain.stop(), secure.stop()])));
  const send = (port: number, query: string) =>
    createMailer({ smtpUrl: `smtp://127.0.0.1:${port}${query}`, from: "chat@acme.test" }).send({
      ...{ to: "grace@acme.test", subject: "Hello", text: "Hello" },
    });
  for (const query of ["?requireTLS", "?requireTLS=true", "?requiretls=1", "/?pool=false&requireTLS=yes"]) {
    await expect(send(plain.port, query), query).rejects.toThrow(/TLS/);
  }
  expect(plain.inbox).toEqual([]);
  for (const query of ["", "?requireTLS=false"]) await send(plain.port, query);
  expect(plain.inbox.map((mail) => mail.secure)).toEqual([false, false]);

  // An untrusted certificate is refused, unless the operator allows it.
  await expect(send(secure.port, "?requireTLS")).rejects.toThrow(/certificate/);
  await send(secure.port, "?requireTLS&tls.rejectUnauthorized=false");
  expect(secure.inbox.map((mail) => mail.secure)).toEqual([true]);
});

it("an invitation's mail waits for a mail server that is down, and arrives once when it is back", async () => {
  let time = Date.parse("2026-11-20T09:00:00.000Z");
  const runtime = createRuntime(openVault(randomBytes(32)), () => time);
  const perform = createPerform(storage, runtime, { news: () => {}, jobs: (teamId) => runner.wake(teamId) });
  const { port, stop } = await startMailServer();
  await stop();
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: "chat@acme.test" });
  const ends: string[] = [];
  const runner = createJobRunner({
    storage,
    runtime,
    vault: runtime.vault,
    handlers: jobHandlers({ "send-mail": sendMailJob(mailer) }),
    logger: pino({ level: "silent" }),
    onEnd: (_kind, outcome) => ends.push(outcome),
  });
  onTestFinished(() => runner.stop());

  const acme: SystemActor = { kind: "system", teamId: runtime.newId() };
  await perform(acme, createTeam, { name: "Acme" });
  const [sent] = await perform(acme, inviteAgents, {
    invitees: [{ email: "grace@acme.test", name: "Grace", role: "CHAT_AGENT_MEMBER" }],
    joinUrl: invitationLink("https://chat.acme.test"),
    mail: true,
  });
  await vi.waitUntil(() => ends.length === 1, PATIENT);
  expect(ends).toEqual(["waiting"]);

  const { inbox, stop: stopAgain } = await startMailServer({ port });
  onTestFinished(stopAgain);
  time += 30_000;
  runner.wake(acme.teamId);
  await vi.waitUntil(() => ends.length === 2, PATIENT);
  time += 24 * 60 * 60_000;
  runner.wake(acme.teamId);
  await runner.stop();
  expect(ends).toEqual(["waiting", "done"]);
  expect(inbox).toHaveLength(1);
  const body = inbox[0]?.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(body).toContain(sent?.link);
});

it("without a mail server set up the job fails with the setting's name", async () => {
  const mail = { to: "grace@acme.test", subject: "Hello", text: "Hello" };
  const job = { teamId: "", id: "", cause: null, signal: new AbortController().signal };
  await expect(sendMailJob(undefined)(mail, job)).rejects.toThrow("SMTP_URL");
});
