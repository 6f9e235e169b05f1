import { tableKind } from "../storage/table-kinds.ts";
import { defineCommand } from "./command.ts";
import { migrateStorage } from "./with-storage.ts";

/**
 * `frontdesk migrate`: migrates the data, as `serve` does when it starts, and distributes its tables where the database is a
 * cluster. A repeat does nothing.
 */
export const migrate = defineCommand({
  name: "migrate",
  summary: "Migrates the data to this version.",
  options: {},
  async run(_values, { settings, print }) {
    const { applied, distributed } = await migrateStorage(settings);
    const text = applied.length > 0 ? `Applied: ${applied.join(", ")}.` : "The data is up to date.";
    if (distributed.length === 0) return print({ json: { applied }, text });
    const ofTeams = distributed.filter((table) => tableKind(table) === "team");
    const copied = distributed.filter((table) => tableKind(table) !== "team");
    print({
      json: { applied, distributed },
      text: [
        text,
        ...(ofTeams.length > 0
          ? [`Distributed by team_id across the nodes of the cluster: ${ofTeams.join(", ")}.`]
          : []),
        ...(copied.length > 0 ? [`Copied to every node of the cluster: ${copied.join(", ")}.`] : []),
      ].join("\n"),
    });
  },
});
