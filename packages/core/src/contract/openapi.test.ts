import { describe, expect, test } from "vitest";
import { eventNames } from "./events.ts";
import { errorStatuses, openApiDocument } from "./openapi.ts";
import type { RestOperation } from "./operation.ts";
import { rest } from "./rest.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as the JSON that goes out
const document: any = JSON.parse(
  JSON.stringify(openApiDocument({ serverUrl: "https://chat.acme.example/api/v1", version: "1.2.3" })),
);
const operations: readonly RestOperation[] = Object.values(rest);

describe("the OpenAPI document", () => {
  test("is OpenAPI 3.1 and has the version and the address it was made for", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("1.2.3");
    expect(document.servers[0].url).toBe("https://chat.acme.example/api/v1");
  });

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "describes %s with its scope, its examples and every status it may answer",
    (_id, operation) => {
      const described = document.paths[operation.path][operation.method.toLowerCase()];
      expect(described.operationId).toBe(operation.id);
      expect(described.description).toMatch(/scope `[a-z]+:(read|write)`/);
      expect(
        Object.keys(described.responses)
          .map(Number)
          .filter((status) => status >= 400),
      ).toEqual(errorStatuses(operation));
      expect(JSON.stringify(described.parameters ?? []).includes("IdempotencyKey")).toBe(operation.retrySafe === true);
    },
  );

  test("names the media type of an answer that is no JSON", () => {
    const { content } = document.paths["/messages/{id}/original"].get.responses[200];
    expect(content).toEqual({
      "message/rfc822": {
        schema: { type: "string", format: "binary" },
        examples: { example: { value: rest.getMessageOriginal.example.response } },
      },
    });
  });

  test("holds no operation that the catalogue does not", () => {
    const described = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
    expect(described.length).toBe(operations.length);
  });

  test("describes every event as a webhook with its delivery headers", () => {
    expect(Object.keys(document.webhooks)).toEqual(eventNames);
    for (const name of eventNames) {
      expect(document.webhooks[name].post.parameters).toContainEqual({
        $ref: "#/components/parameters/XServiceSignature",
      });
    }
  });

  test("names shared shapes once and refers to them", () => {
    expect(
      document.paths["/contacts/{id}"].get.responses[200].content["application/json"].schema.properties.data,
    ).toEqual({ $ref: "#/components/schemas/Contact" });
    expect(document.components.schemas.Contact.properties.attributes.required).toHaveLength(26);
  });

  test("a fresh document is made on every call", () => {
    const options = { serverUrl: "https://chat.acme.example/api/v1", version: "1.2.3" };
    expect(openApiDocument(options)).toEqual(openApiDocument(options));
    expect(openApiDocument(options)).not.toBe(openApiDocument(options));
  });
});
