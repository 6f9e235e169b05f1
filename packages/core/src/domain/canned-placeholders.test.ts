import { expect, test } from "vitest";
import { cannedPlaceholders, fillPlaceholders, unknownPlaceholder } from "./canned-placeholders.ts";

test("every placeholder that exists is filled, and none of them is unknown", () => {
  const values = Object.fromEntries(cannedPlaceholders.map((name) => [name, `<${name}>`])) as never;
  for (const name of cannedPlaceholders) {
    expect(fillPlaceholders(`Hi {{ ${name} | there }}!`, values)).toBe(`Hi <${name}>!`);
    expect(unknownPlaceholder(`Hi {{ ${name} | there }}!`)).toBeUndefined();
  }
});

test("a placeholder that is misspelt, empty or of another case is unknown, and stays as it is", () => {
  const wrong = ["{{contact.frist_name|you}}", "{{Contact.Name}}", "{{ }}", "{{first name}}", "{{order.id}}"];
  for (const placeholder of wrong) {
    expect(unknownPlaceholder(`{{agent.name}}: ${placeholder}`)).toBe(placeholder);
    expect(fillPlaceholders(placeholder, {} as never)).toBe(placeholder);
  }
});

test("braces that are no placeholder are text", () => {
  for (const text of ["{x}", "{{contact.name", "a}}", "{ {contact.name} }"])
    expect(unknownPlaceholder(text)).toBeUndefined();
});
