/**
 * Main job 4: an integrator's program receives the events of every visitor, whatever happens to it (reference row 1, from
 * outside).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, createClient } from "@frontdesk/client";
import { newAuthority } from "@frontdesk/testing/certificates";
import { freePort } from "@frontdesk/testing/free-port";
import { enginesOf, newInstallation } from "@frontdesk/testing/installation";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./house/source-files.ts";

const PATIENCE = { interval: 100 };

const CROWD = ["Ben", "Cleo", "Dag", "Edda", "Finn", "Gila", "Jun", "Kofi", "Lale", "Milan", "Nora", "Otto"];

test.each(enginesOf("postgres"))(
  "an integrator's program answers visitors, dies, stays away while others write, comes back and misses nobody (%s)",
  async (engine) => {
    const files = newFiles();
    const frontdesk = await newInstallation(engine, {
      NODE_EXTRA_CA_CERTS: files.ca,
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      WEBHOOK_RETRY_SECONDS: "1,1,1",
      REST_RATE_LIMIT: "100000",
    });
    const made = await frontdesk.command(
      ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
      ...["--widget", "Website", "--api-key", "main"],
    );
    await frontdesk.start();
    const apiKey = String(made.api_key);
    const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey });
    const program = await integratorProgram({
      FRONTDESK_URL: frontdesk.origin,
      FRONTDESK_API_KEY: apiKey,
      STATE_FILE: files.state,
      KEY_FILE: files.key,
      CERT_FILE: files.cert,
    });

    // It subscribes, and greets Vera before its answer to the delivery is due.
    await program.start();
    const vera = await writes(api, String(made.widget_id), "Vera");
    await expect.poll(() => greetings(api, vera), PATIENCE).toEqual(["Hello Vera, we are on it."]);
    const [subscription] = (await api.listWebhooks()).data;
    const webhook = String(subscription?.id);
    await expect.poll(() => states(), PATIENCE).toEqual({ delivered: 1 });
    const [first] = (await api.listWebhookDeliveries({ params: { webhook } })).data;
    expect(first?.attributes.last_attempt).toMatchObject({ attempt: 1, outcome: "delivered", status: 204 });

    // Many visitors write, and it is killed meanwhile.
    const crowd: Visitor[] = [];
    const writing = Promise.all(CROWD.map(async (name) => crowd.push(await writes(api, String(made.widget_id), name))));
    const greeted = async () => (await states()).delivered ?? 0;
    await expect.poll(greeted, { ...PATIENCE, interval: 5 }).toBeGreaterThan(1);
    await program.kill();
    await writing;

    // While it is down Hugo writes; the attempts for him and for the rest of the visitors are used up.
    const hugo = await writes(api, String(made.widget_id), "Hugo");
    const ended = async () => {
      const { delivered = 0, failed = 0 } = await states();
      return { ended: delivered + failed, gaveUp: failed > 0 };
    };
    await expect.poll(ended, PATIENCE).toEqual({ ended: crowd.length + 2, gaveUp: true });
    // For Ines there are attempts left.
    const ines = await writes(api, String(made.widget_id), "Ines");

    // It restarts and replays failed deliveries. Every visitor is greeted, and none twice.
    await program.start();
    const everybody = [vera, ...crowd, hugo, ines];
    await expect.poll(() => states(), PATIENCE).toEqual({ delivered: everybody.length });
    for (const visitor of everybody) {
      expect(await greetings(api, visitor)).toEqual([`Hello ${visitor.name}, we are on it.`]);
    }

    // The log of Hugo's delivery: failed after four attempts, replayed, delivered, the same event throughout.
    const { data } = await api.listWebhookDeliveries({ params: { webhook }, query: { limit: 100 } });
    const logs = await Promise.all(data.map(({ id }) => api.getWebhookDelivery({ params: { webhook, delivery: id } })));
    const hugos = logs.find(({ data }) => data.attributes.attempts[0]?.request.body.includes('"Hugo"'));
    const attempts = hugos?.data.attributes.attempts ?? [];
    expect(attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, "failed"],
      [2, "failed"],
      [3, "failed"],
      [4, "failed"],
      [1, "delivered"],
    ]);
    expect(new Set(attempts.map(({ request }) => request.body)).size).toBe(1);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(5);

    /** The number of deliveries in each state. */
    async function states(): Promise<Record<string, number>> {
      const { data } = await api.listWebhookDeliveries({ params: { webhook }, query: { limit: 100 } });
      const counts: Record<string, number> = {};
      for (const { attributes } of data) counts[attributes.state] = (counts[attributes.state] ?? 0) + 1;
      return counts;
    }
  },
);

interface Visitor {
  name: string;
  conversationId: string;
}

async function writes(api: Client, widget_id: string, name: string): Promise<Visitor> {
  const email = `${name.toLowerCase()}@visitor.test`;
  const { data } = await api.sendVisitorMessage({ body: { widget_id, name, email, content: "Is anybody there?" } });
  return { name, conversationId: data.attributes.conversation_id };
}

/** The answers to a visitor. */
async function greetings(api: Client, { conversationId }: Visitor): Promise<string[]> {
  const { data } = await api.listMessages({ params: { conversation_id: conversationId } });
  return data.map(({ attributes }) => String(attributes.content)).filter((content) => content.startsWith("Hello"));
}

/** A certificate for localhost, and the file for the program's state. */
function newFiles() {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-integrator-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const authority = newAuthority();
  const { key, cert } = authority.certify(["localhost"]);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return {
    ca: file("ca.pem", authority.ca),
    key: file("key.pem", key),
    cert: file("cert.pem", cert),
    state: join(folder, "state.json"),
  };
}

/** `integrator-server.ts` as a separate process, on the same port after each restart. */
async function integratorProgram(settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, PORT: String(await freePort()), ...settings };
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return {
    kill,
    async start() {
      const script = join(root, "packages/testing/src/integrator-server.ts");
      child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
      if (!child.stdout) throw new Error("The program has no output.");
      for await (const line of createInterface(child.stdout)) if (line === "listening") return;
      throw new Error("The program ended before it listened.");
    },
  };
}
