/**
 * `npm run reference`: writes `docs/reference/` and the route tables of the browser packages from the contract. A test compares
 * the files with this script's output, so that a changed contract without a run is detected.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportSchema } from "../packages/core/src/contract/contact-export.ts";
import { openApiDocument } from "../packages/core/src/contract/index.ts";
import { VERIFY_EXAMPLE } from "../packages/core/src/contract/verify-example.ts";
import {
  type EventEntry,
  type Field,
  type OperationEntry,
  type Reference,
  referenceContents,
} from "../packages/server/src/http/pages/reference-contents.ts";
import { VERSION } from "../packages/server/src/version.ts";
import { withBounds } from "./bounds-table.ts";
import { fence, fieldTable, joined, slug, table } from "./markdown.ts";
import { operationReference } from "./operation-reference.ts";
import { routeTables } from "./route-tables.ts";
import { toolReference } from "./tool-reference.ts";

/** The address in the written reference; a running service shows its own. */
const SERVER_URL = "https://chat.example.com/api/v1";

const ROOT = join(import.meta.dirname, "..");
/** Documents with the table of bounds for strangers. */
const WITH_BOUNDS = ["SECURITY.md", "docs/guide/settings.md"];

/** The text of every file of the reference, by its path from the root of the project. */
export function referenceFiles(): Record<string, string> {
  const options = { serverUrl: SERVER_URL, version: VERSION };
  return {
    "docs/reference/openapi.json": `${JSON.stringify(openApiDocument(options), null, 2)}\n`,
    "docs/reference/export-schema.json": `${JSON.stringify(exportSchema(), null, 2)}\n`,
    "docs/reference/rest-api.md": markdown(referenceContents(options)),
    "docs/reference/tools.md": toolReference(),
    ...routeTables(),
    "docs/reference/operations.md": operationReference(),
    ...Object.fromEntries(WITH_BOUNDS.map((path) => [path, withBounds(readFileSync(join(ROOT, path), "utf8"))])),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(referenceFiles())) {
    const file = join(ROOT, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(path);
  }
}

function markdown({ introduction, groups, errors, answerHeaders, events, deliveryHeaders }: Reference): string {
  return joined(
    "# Frontdesk REST API",
    "Generated from the contract by `npm run reference`. Do not edit it by hand. A running server has the same reference at `/docs`, and as OpenAPI 3.1 at `/api/v1/openapi.json` ([as a file](openapi.json)).",
    introduction,
    `The URLs below are for a server at \`${SERVER_URL}\`.`,
    [
      "- [Errors](#errors)",
      "- [Response headers](#response-headers)",
      ...groups.flatMap(({ name, operations }) => [
        `- [${name}](#${slug(name)})`,
        ...operations.map(({ summary }) => `  - [${summary}](#${slug(summary)})`),
      ]),
      "- [Events](#events)",
      ...events.map(({ name }) => `  - [${name}](#${slug(name)})`),
    ].join("\n"),

    "## Errors",
    "Every error has a body with a human-readable `message`. Validation errors also have `errors`, with the problems of each field. A nested field is named by its path, such as `message.urls.0`.",
    table(
      ["Status", "Meaning", "Example"],
      errors.map(({ status, description, example }) => [String(status), description, `\`${JSON.stringify(example)}\``]),
    ),

    "## Response headers",
    "Every response to a valid key has the `X-RateLimit` headers.",
    fieldTable(answerHeaders, "answer"),
    ...groups.flatMap(({ name, description, operations }) => [`## ${name}`, description, ...operations.map(operation)]),

    "## Events",
    "A subscription lists the events it wants. Each event is sent to its endpoint as a `POST` with a JSON body, signed with the subscription's secret.",
    "### Delivery headers",
    fieldTable(deliveryHeaders, "answer"),
    "### Verify signatures",
    fence("js", VERIFY_EXAMPLE),
    ...events.map(event),
  );
}

function operation(entry: OperationEntry): string {
  const { method, path, summary, description, access, answer, errors } = entry;
  return joined(
    `### ${summary}`,
    `\`${method} ${path}\``,
    description,
    access,
    section("Parameters", [...entry.pathFields, ...entry.queryFields]),
    section("Headers", entry.headerFields),
    section("Body", entry.bodyFields),
    fence("sh", entry.request),
    `**Response ${answer.status}.** ${answer.description} Can also return ${errors.map(({ status }) => status).join(", ")}.`,
    answer.fields.length === 0 ? "" : fieldTable(answer.fields, "answer"),
    typeof answer.example === "string"
      ? fence("", answer.example.replaceAll("\r\n", "\n").trimEnd())
      : fence("json", JSON.stringify(answer.example, null, 2)),
  );
}

function event({ name, description, access, fields, example }: EventEntry): string {
  return joined(
    `### ${name}`,
    description,
    access,
    fieldTable(fields, "answer"),
    fence("json", JSON.stringify(example, null, 2)),
  );
}

function section(title: string, fields: readonly Field[]): string {
  return fields.length === 0 ? "" : joined(`**${title}**`, fieldTable(fields, "request"));
}
