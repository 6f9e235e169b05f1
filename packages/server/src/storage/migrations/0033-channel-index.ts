import type { Migration } from "./migration.ts";

/** The conversations of a channel, found by it where they are few. Those of the website, which are most, pay nothing for it. */
export const channelIndex: Migration = {
  number: 33,
  name: "channel-index",
  breaking: false,
  statements: () => [
    "CREATE INDEX conversations_of_channel ON conversations (team_id, channel, id) WHERE channel <> 'website'",
  ],
};
