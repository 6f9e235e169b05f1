import { defineCommand } from "./command.ts";
import { migrateStorage } from "./with-storage.ts";

/** `frontdesk migrate`: brings the data up to date, as `serve` does when it starts. A repeat applies nothing. */
export const migrate = defineCommand({
  name: "migrate",
  summary: "Brings the data up to date with this program.",
  options: {},
  async run(_values, { settings, print }) {
    const applied = await migrateStorage(settings);
    const text = applied.length > 0 ? `Applied: ${applied.join(", ")}.` : "The data is up to date.";
    print({ json: { applied }, text });
  },
});
