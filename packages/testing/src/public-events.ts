import { assignAgent } from "@frontdesk/server/conversations/assign-agent";
import { removeCustomData } from "@frontdesk/server/custom-data/remove-custom-data";
import { setCustomData } from "@frontdesk/server/custom-data/set-custom-data";
import { addTag } from "@frontdesk/server/tags/add-tag";
import { removeTag } from "@frontdesk/server/tags/remove-tag";
import { eraseAtOnce } from "./erase-at-once.ts";
import type { TestApp, TestTeam } from "./test-kit.ts";
import { adaReplies, adaSets, veraArrives, veraWrites } from "./vera.ts";

/** Causes each event that a subscription can name, once, by actions of Vera and the team; and a few that are not public. */
export async function everyPublicEvent({ perform }: TestApp["app"], acme: TestTeam): Promise<void> {
  const { conversationId, contactId } = await veraWrites(acme);
  await adaReplies(acme, conversationId, { attachments: [{ url: "https://files.acme.test/a.png", name: "a.png" }] });
  await adaReplies(acme, conversationId, { type: "note" });
  await perform(acme.actor, assignAgent, { conversationId, agentId: acme.ada.id });
  await perform(acme.actor, addTag, { conversationId, name: "Shipping" });
  await perform(acme.actor, removeTag, { conversationId, name: "Shipping" });
  await perform(acme.actor, setCustomData, { contactId, name: "plan", value: "Free", mustExist: false });
  await perform(acme.actor, removeCustomData, { contactId, name: "plan" });
  await acme.put(`/contacts/${contactId}`, { phone: "0301234" });
  await adaSets(acme, conversationId, "resolved");
  await adaSets(acme, conversationId, "open");
  await eraseAtOnce(perform, acme, await veraArrives(acme, { name: "Otto" }));
}
