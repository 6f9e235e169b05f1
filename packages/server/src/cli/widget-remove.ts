import { Refusal } from "@frontdesk/core/domain/refusal";
import { OperatorError } from "../operator-error.ts";
import { presentErasure } from "../privacy/present-erasure.ts";
import { removeWidget } from "../privacy/remove-widget.ts";
import { chooseTeamOf } from "./choose-team.ts";
import { defineCommand, teamOfIdOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk widget remove`: removes a widget, also while a server runs. A repeat finds none. */
export const widgetRemove = defineCommand({
  name: "widget remove",
  summary: "Removes a widget.",
  options: {
    id: { value: "ID", help: "The widget.", positional: true, required: true },
    team: teamOfIdOption,
    "erase-conversations": {
      help: "Erase its contacts and their conversations with it. They can't be restored.",
    },
    reason: { value: "TEXT", help: "For your records." },
  },
  async run(values, { settings, print }) {
    const erasure = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeamOf(storage, "widget", values.id, values.team), removeWidget, {
        widgetId: values.id,
        conversations: values["erase-conversations"] === undefined ? undefined : "erase",
        reason: values.reason,
      }).catch(inItsOptions),
    );
    const isDone = erasure.state === "done";
    const then = "A running server erases its conversations now; otherwise the next one that starts does.";
    print({
      json: { id: values.id, removed: true, erasure: presentErasure(erasure) },
      text: `The widget is removed.${isDone ? "" : `\n${then}`}`,
    });
  },
});

/** The refusal names the field of the REST API. */
function inItsOptions(error: unknown): never {
  if (!(error instanceof Refusal) || error.detail.name !== "widget-in-use") throw error;
  const { contacts, conversations } = error.detail.values ?? {};
  throw new OperatorError(
    `Conversations of this widget: ${conversations}, contacts: ${contacts}. To erase them with it, add --erase-conversations.`,
    { cause: error },
  );
}
