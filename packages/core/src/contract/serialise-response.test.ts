import fastJsonStringify from "fast-json-stringify";
import { describe, expect, test } from "vitest";
import { mediaTypeOf, type RestOperation, successStatus } from "./operation.ts";
import { rest } from "./rest.ts";

/** Those that answer JSON. */
const operations = Object.values<RestOperation>(rest).filter((operation) => mediaTypeOf(operation) === undefined);

describe("an answer", () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "of %s is written as it is, and no undocumented key comes out",
    (_id, operation) => {
      const write = fastJsonStringify(operation.responses[successStatus(operation)]?.body as object);
      expect(JSON.parse(write(operation.example.response))).toEqual(operation.example.response);
      expect(JSON.parse(write({ ...(operation.example.response as object), team_secret: "x" }))).toEqual(
        operation.example.response,
      );
    },
  );

  test("keeps null as null and nothing is converted", () => {
    const write = fastJsonStringify(rest.createMessage.responses[201].body);
    const { data } = structuredClone(rest.createMessage.example.response);
    const bare = { ...data.attributes, contact_id: null, agent: null, contact: null, created_at: null };
    expect(JSON.parse(write({ data: { ...data, attributes: bare } }))).toEqual({ data: { ...data, attributes: bare } });
    const wrong = { data: { ...data, attributes: { ...bare, contact_id: 7 } } };
    expect(() => write(wrong as never)).toThrow("contact_id");
  });

  test("of a list holds only the chosen attributes", () => {
    const write = fastJsonStringify(rest.listConversations.responses[200].body);
    const { example } = rest.listConversations;
    const [item] = example.response.data;
    const chosen = { ...item, attributes: { latest_message: null } };
    const answer = { ...example.response, data: [chosen] };
    expect(JSON.parse(write(answer as never))).toEqual(answer);
  });
});
