import { Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ChannelActor } from "../../access/actor.ts";
import { MAIL_MAX_BYTES } from "../../email/in/mail-import.ts";
import type { TakeRawMail } from "../../email/in/take-mail.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import { HttpProblem } from "../framework/http-problem.ts";
import { boundUnreadBodies } from "../framework/unread-bodies.ts";
import { takeBodyAsItComes, UPLOAD_PATIENCE } from "../framework/upload-body.ts";

interface MailDoorServices {
  /** The mailbox that a secret in a callback address belongs to. */
  accountOfDoorSecret(secret: string): Promise<{ teamId: string; accountId: string } | undefined>;
  takeRawMail: TakeRawMail;
  bounds: StrangerBounds;
}

type ToMailbox = FastifyRequest<{ Params: { secret: string } }>;

const RAW_MAIL = /^message\/rfc822(?:\s*;|$)/i;

/**
 * `POST /inbound/email/{secret}`: a provider or a program brings a raw mail, and may forget it after a 200. Everything that may pass is
 * answered with 5xx, so that it is sent again: providers drop what is refused with 4xx.
 */
export async function mailDoorRoutes(app: FastifyInstance, services: MailDoorServices): Promise<void> {
  const { accountOfDoorSecret, takeRawMail, bounds } = services;
  boundUnreadBodies(app, bounds, MAIL_MAX_BYTES);

  app.route({
    method: "POST",
    url: "/inbound/email/:secret",
    config: { readsQuery: false, patience: UPLOAD_PATIENCE },
    async onRequest(request, reply) {
      const type = request.headers["content-type"] ?? "";
      request.upload = takeBodyAsItComes(request);
      reply.header("cache-control", "no-store");
      const mailbox = await mailboxOf(request as ToMailbox);
      if (!RAW_MAIL.test(type)) throw new HttpProblem(415, "http.not-a-mail");
      const { announced } = request.upload;
      if (announced === 0) throw new HttpProblem(400, "http.mail-empty");
      if (announced !== undefined && announced > MAIL_MAX_BYTES) throw new HttpProblem(413, "http.mail-too-large");
      const leave = bounds.enter({ address: request.ip, team: mailbox.teamId }, "inbound-mails");
      if (reply.raw.destroyed) leave();
      else reply.raw.once("close", leave);
      request.mailbox = mailbox;
    },
    async handler({ upload, mailbox }) {
      if (!upload || !mailbox) throw new Error("The route was reached without a mailbox or a body.");
      try {
        const { outcome } = await takeRawMail(mailbox, upload.content);
        return { message: outcome === "known" ? "The mail is known." : "The mail was taken." };
      } catch (error) {
        throw asMailProblem(error);
      }
    },
  });

  async function mailboxOf({ ip, params }: ToMailbox): Promise<ChannelActor> {
    const found = await accountOfDoorSecret(params.secret);
    if (found) return { kind: "channel", ...found };
    // Only the unknown ones are counted: a mail for a mailbox is never refused for them.
    await bounds.take({ address: ip }, { "unknown-callbacks": 1 });
    throw new HttpProblem(404, "http.no-such-address");
  }
}

function asMailProblem(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  switch (error.reason.name) {
    case "too-large":
      return new HttpProblem(413, "http.mail-too-large");
    case "invalid":
      return new HttpProblem(400, "http.mail-empty");
    case "not-found":
      return new HttpProblem(404, "http.no-such-address");
    default:
      return error;
  }
}

declare module "fastify" {
  interface FastifyRequest {
    mailbox?: ChannelActor;
  }
}
