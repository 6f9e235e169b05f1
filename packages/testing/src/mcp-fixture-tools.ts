/** The tools that the conformance suite calls by name; the suite describes what each has to do. */
import { setTimeout as after } from "node:timers/promises";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** One black pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
/** A sound without samples: only the header of a WAV file. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
/** The suite requires some notifications to be spread over time. */
const PAUSE_MS = 20;

export interface FixtureTool {
  inputSchema: object;
  run(ctx: ServerContext, given: Record<string, unknown>): Promise<object>;
}

const codec = createRequestStateCodec<{ round: number }>({ key: crypto.getRandomValues(new Uint8Array(32)) });

/**
 * @param changeTools changes the tool list of the suite's connection
 */
export function fixtureTools(changeTools: () => Promise<unknown>): ReadonlyMap<string, FixtureTool> {
  const fixed = (...content: object[]): FixtureTool => tool(async () => ({ content }));
  const resource = (uri: string, mimeType: string, body: string) => ({
    type: "resource",
    resource: { uri, mimeType, text: body },
  });
  const image = { type: "image", data: PNG, mimeType: "image/png" };

  return new Map<string, FixtureTool>([
    ["test_simple_text", fixed(text("This is a simple text response for testing."))],
    ["test_image_content", fixed(image)],
    ["test_audio_content", fixed({ type: "audio", data: WAV, mimeType: "audio/wav" })],
    [
      "test_embedded_resource",
      fixed(resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
    ],
    [
      "test_multiple_content_types",
      fixed(
        text("Multiple content types test:"),
        image,
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ),
    ],
    [
      "test_error_handling",
      tool(async () => ({ isError: true, ...said("This tool intentionally returns an error for testing") })),
    ],
    [
      "test_tool_with_logging",
      tool(async ({ mcpReq }) => {
        for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
          await mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
          await after(PAUSE_MS);
        }
        return said("Logged three times.");
      }),
    ],
    [
      "test_tool_with_progress",
      tool(async ({ mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken;
        for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
          await mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken: progressToken as string | number, progress, total: 100 },
          });
          await after(PAUSE_MS);
        }
        return said("Went on in three steps.");
      }),
    ],
    [
      "test_logging_tool",
      tool(async ({ mcpReq }) => {
        await mcpReq.log("info", "Told only to those who asked for a level.");
        return said("Logged.");
      }),
    ],
    ["test_streaming_elicitation", fixed(text("The stream holds nothing but this."))],
    [
      "test_trigger_tool_change",
      tool(async () => {
        await changeTools();
        return said("The list of tools is another one now.");
      }),
    ],
    ["json_schema_2020_12_tool", { ...fixed(text("ok")), inputSchema: FULL_SCHEMA }],
    ...askingTools,
    ...roundTripTools,
  ]);
}

/** The tools of 2025, which request input from the client during a call. */
const askingTools: [string, FixtureTool][] = [
  [
    "test_sampling",
    tool(
      async ({ mcpReq }, { prompt }) => {
        const messages = [{ role: "user" as const, content: { type: "text" as const, text: String(prompt) } }];
        const answer = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
        return said(`LLM response: ${JSON.stringify(answer.content)}`);
      },
      { prompt: { type: "string" } },
    ),
  ],
  [
    "test_elicitation",
    tool(
      async (ctx, { message }) =>
        said(`User response: ${await elicited(ctx, String(message), { username: STRING, email: STRING })}`),
      { message: { type: "string" } },
    ),
  ],
  [
    "test_elicitation_sep1034_defaults",
    tool(async (ctx) => {
      const fields = {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      };
      return said(`Elicitation completed: ${await elicited(ctx, "Who is it?", fields)}`);
    }),
  ],
  [
    "test_elicitation_sep1330_enums",
    tool(async (ctx) => {
      const options = ["option1", "option2", "option3"];
      const titled = ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title }));
      const fields = {
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: options } },
        titledMulti: { type: "array", items: { anyOf: titled } },
      };
      return said(`Elicitation completed: ${await elicited(ctx, "Which ones?", fields)}`);
    }),
  ],
];

/** The tools of 2026-07-28, which answer with what is missing and are called again with it. */
const roundTripTools: [string, FixtureTool][] = [
  [
    "test_missing_capability",
    tool(async () => inputRequired({ inputRequests: { answer: sampling("Say something.", 16) } })),
  ],
  [
    "test_input_required_result_elicitation",
    tool(async ({ mcpReq }) => {
      const name = acceptedContent<{ name: unknown }>(mcpReq.inputResponses, "user_name")?.name;
      if (typeof name === "string") return said(`Hello, ${name}!`);
      return inputRequired({ inputRequests: { user_name: form("What is your name?", "name", "string") } });
    }),
  ],
  [
    "test_input_required_result_sampling",
    tool(async ({ mcpReq }) => {
      const answer = mcpReq.inputResponses?.capital_question;
      if (answer) return said(JSON.stringify((answer as { content?: unknown }).content));
      return inputRequired({ inputRequests: { capital_question: sampling("What is the capital of France?", 100) } });
    }),
  ],
  [
    "test_input_required_result_list_roots",
    tool(async ({ mcpReq }) => {
      const answer = mcpReq.inputResponses?.client_roots;
      if (answer) return said(`The client's roots: ${JSON.stringify(answer)}`);
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    }),
  ],
  [
    "test_input_required_result_request_state",
    tool(async (ctx) => {
      if ((await roundOf(ctx)) === 1 && ctx.mcpReq.inputResponses?.confirm) return said("state-ok");
      return inputRequired({ inputRequests: { confirm: CONFIRM() }, requestState: await codec.mint({ round: 1 }) });
    }),
  ],
  [
    "test_input_required_result_tampered_state",
    tool(async (ctx) => {
      if ((await roundOf(ctx)) === 1) return said("The state is whole.");
      return inputRequired({ inputRequests: { confirm: CONFIRM() }, requestState: await codec.mint({ round: 1 }) });
    }),
  ],
  [
    "test_input_required_result_multiple_inputs",
    tool(async (ctx) => {
      const { user_name, greeting, client_roots } = ctx.mcpReq.inputResponses ?? {};
      if ((await roundOf(ctx)) === 1 && user_name && greeting && client_roots) return said("All three are there.");
      return inputRequired({
        inputRequests: {
          user_name: form("What is your name?", "name", "string"),
          greeting: sampling("Generate a greeting", 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await codec.mint({ round: 1 }),
      });
    }),
  ],
  [
    "test_input_required_result_multi_round",
    tool(async (ctx) => {
      const round = await roundOf(ctx);
      if (round === 2) return said("Both steps are done.");
      const asked =
        round === 0 ? ["Step 1: What is your name?", "name"] : ["Step 2: What is your favorite color?", "color"];
      const [message = "", field = ""] = asked;
      return inputRequired({
        inputRequests: { [`step${round + 1}`]: form(message, field, "string") },
        requestState: await codec.mint({ round: round + 1 }),
      });
    }),
  ],
  [
    "test_input_required_result_capabilities",
    tool(async ({ mcpReq }) => {
      if (mcpReq.inputResponses) return said("Thank you.");
      const envelope = mcpReq.envelope as Record<string, Record<string, object>> | undefined;
      const can = envelope?.[CLIENT_CAPABILITIES_META_KEY];
      const inputRequests: InputRequests = {
        ...(can?.elicitation && { user_name: form("What is your name?", "name", "string") }),
        ...(can?.sampling && { greeting: sampling("Generate a greeting", 50) }),
        ...(can?.roots && { client_roots: inputRequired.listRoots() }),
      };
      return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : said("There is nobody to ask.");
    }),
  ],
];

const STRING = { type: "string" };
const CONFIRM = () => form("Please confirm", "ok", "boolean");

const FULL_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: STRING, city: STRING } } },
  properties: {
    name: STRING,
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: STRING,
    email: STRING,
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

function tool(run: FixtureTool["run"], properties: object = {}): FixtureTool {
  return { inputSchema: { type: "object", properties, required: Object.keys(properties) }, run };
}

function text(words: string) {
  return { type: "text", text: words };
}

function said(words: string) {
  return { content: [text(words)] };
}

/** A form with one field. */
export function form(message: string, field: string, type: "string" | "boolean") {
  const properties = { [field]: type === "string" ? { type } : { type } };
  return inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required: [field] } });
}

function sampling(question: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens,
  });
}

/** Asks the client's user during a call; resolves to `action=…, content=…`. */
async function elicited({ mcpReq }: ServerContext, message: string, properties: object): Promise<string> {
  const requestedSchema = {
    type: "object" as const,
    properties: properties as never,
    required: Object.keys(properties),
  };
  const { action, content } = await mcpReq.send({ method: "elicitation/create", params: { message, requestedSchema } });
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

/** How many rounds a call has completed, by the state it carries; 0 for a new one. */
async function roundOf(ctx: ServerContext): Promise<number> {
  const state = ctx.mcpReq.requestState<string>();
  if (state === undefined) return 0;
  const known = await codec.verify(state, ctx).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This state is not ours.");
  });
  return known.round;
}
