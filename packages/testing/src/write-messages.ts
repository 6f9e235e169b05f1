/**
 * A second process on the same data, for tests: writes visitor messages until it is stopped, and prints the id of each
 * confirmed one. Every third request is refused (an unknown widget), and prints nothing.
 *
 *   node write-messages.ts '{"databaseUrl": …, "dataDir": …, "teamId": …, "widgetId": …, "count": 300}'
 */
import { randomBytes } from "node:crypto";
import { openVault } from "@frontdesk/server/access/vault";
import { receiveVisitorMessage } from "@frontdesk/server/conversations/receive-visitor-message";
import { createPerform } from "@frontdesk/server/perform";
import { createRuntime } from "@frontdesk/server/runtime";
import { openStorage } from "@frontdesk/server/storage/open-storage";

const { teamId, widgetId, count, ...address } = JSON.parse(process.argv[2] ?? "") as {
  databaseUrl: string | undefined;
  dataDir: string;
  teamId: string;
  widgetId: string;
  count: number;
};
/** How many run concurrently. */
const LANES = 20;

const storage = openStorage(address);
const runtime = createRuntime(openVault(randomBytes(32)));
const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
await storage.check();
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

let next = 0;
await Promise.all(Array.from({ length: LANES }, writeOneAfterAnother));
await storage.close();
process.stdin.destroy();

async function writeOneAfterAnother(): Promise<void> {
  while (next < count) {
    const number = next;
    next += 1;
    const input = {
      widgetId: number % 3 === 2 ? runtime.newId() : widgetId,
      content: `Second process ${number}`,
      email: `vera${number % 10}@visitor.test`,
    };
    try {
      const { message } = await perform({ kind: "system", teamId }, receiveVisitorMessage, input);
      process.stdout.write(`${message.id}\n`);
    } catch (error) {
      if ((error as Error).message !== "Widget not found.") throw error;
    }
  }
}
