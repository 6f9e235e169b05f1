import { createWidget } from "../widgets/create-widget.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, teamOption } from "./command.ts";
import { readName } from "./person-options.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk widget create`: a widget. A repeat creates another one. */
export const widgetCreate = defineCommand({
  name: "widget create",
  summary: "Adds a widget to a team.",
  options: {
    team: teamOption,
    name: { value: "NAME", help: "The widget's name.", required: true },
  },
  async run(values, { settings, print }) {
    const widget = { name: readName("--name", values.name) };
    const made = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeam(storage, values.team), createWidget, widget),
    );
    print({ json: { id: made.id }, text: `id  ${made.id}` });
  },
});
