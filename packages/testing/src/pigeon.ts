/**
 * A second channel, which exists only in tests: carrier pigeons. A pigeon is identified by its ring. In the contract it is the
 * channel `messenger`; the product's code does not know of pigeons.
 */
import { randomUUID } from "node:crypto";
import type { App } from "@frontdesk/server";
import type { ChannelActor } from "@frontdesk/server/access/actor";
import { createChannelAccount, type NewChannelAccount } from "@frontdesk/server/channels/create-channel-account";
import { type ImportedMessage, importMessage } from "@frontdesk/server/channels/import-message";
import type { Runtime } from "@frontdesk/server/context";
import type { Perform } from "@frontdesk/server/perform";
import type { TestTeam } from "./test-kit.ts";
import type { Written } from "./vera.ts";

export const PIGEON_CHANNEL = "messenger";

export interface Loft {
  accountId: string;
  actor: ChannelActor;
  /** Imports a letter; resolves to its result, and whether it was new. */
  letter(letter?: Partial<Letter>, perform?: Perform): Promise<Written & { isNew: boolean }>;
}

export interface Letter extends ImportedMessage {
  /** The ring of the pigeon that brings it. */
  ring: string;
}

let letters = 0;

/** The parts of an app that a loft needs. */
interface Site {
  app: Pick<App, "perform">;
  runtime: Pick<Runtime, "now">;
}

type LoftOptions = Pick<NewChannelAccount, "homeWidgetId" | "providerKey" | "settings" | "secrets">;

/** The team's channel account for pigeons. */
export async function openLoft(
  { app, runtime }: Site,
  team: Pick<TestTeam, "actor" | "widgetId">,
  { homeWidgetId = team.widgetId, providerKey = randomUUID(), settings = {}, secrets }: Partial<LoftOptions> = {},
): Promise<Loft> {
  const { id: accountId } = await app.perform(team.actor, createChannelAccount, {
    ...{ channel: PIGEON_CHANNEL, name: "Loft", homeWidgetId, providerKey, settings, secrets },
  });
  const actor: ChannelActor = { kind: "channel", teamId: team.actor.teamId, accountId };
  return {
    accountId,
    actor,
    async letter({ ring = "PL-0171", ...letter } = {}, perform = app.perform) {
      letters += 1;
      const { message, contact, isNew } = await perform(actor, importMessage, {
        externalId: `letter ${letters}`,
        identities: [{ kind: "ring", value: ring }],
        details: { name: "Petra" },
        content: "Do you take letters?",
        attachments: [],
        occurredAt: runtime.now(),
        ...letter,
      });
      return { messageId: message.id, conversationId: message.conversation_id, contactId: contact.id, isNew };
    },
  };
}
