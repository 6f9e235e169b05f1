import { rotateIdentitySecret } from "../widgets/rotate-identity-secret.ts";
import { chooseTeamOf } from "./choose-team.ts";
import { defineCommand, teamOfIdOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk widget identity`: an identity secret. A repeat replaces it by another one. */
export const widgetIdentity = defineCommand({
  name: "widget identity",
  summary: "Creates the secret that your server signs visitor identities with, and shows it once.",
  options: {
    team: teamOfIdOption,
    widget: { value: "ID", help: "The widget. Its previous secret stops working immediately.", required: true },
  },
  async run(values, { settings, print }) {
    const { widget, secret } = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeamOf(storage, "widget", values.widget, values.team), rotateIdentitySecret, {
        widgetId: values.widget,
      }),
    );
    print({
      json: { id: widget.id, identity_secret: secret },
      text: `id               ${widget.id}\nidentity_secret  ${secret}\nSave the secret on your server now. It won't be shown again.`,
    });
  },
});
