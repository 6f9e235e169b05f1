import { expect, test } from "vitest";
import { fillCannedReply, withPlaceholders } from "./fill-canned-reply.ts";

const vera = { contact: { name: "Vera Lind", email: "vera@example.com" }, agent: "Ada", team: "Acme" };
const nobody = { contact: { name: null, email: null }, agent: null, team: "Acme" };

test("places are filled, with what stands behind the bar where nothing is known", () => {
  const reply = "Hi {{contact.first_name|there}}, {{ agent.name }} of {{team.name}} here. {{unknown}}";
  expect(fillCannedReply(reply, vera)).toBe("Hi Vera, Ada of Acme here. {{unknown}}");
  expect(fillCannedReply(reply, nobody)).toBe("Hi there,  of Acme here. {{unknown}}");
});

test("a reply that is kept has places for the names of its conversation, and is filled with them again", () => {
  const reply = "Hi Vera, dear Vera Lind! Adam will write to vera@example.com. – Ada, Acme";
  const kept = withPlaceholders(reply, vera);
  expect(kept).toBe(
    "Hi {{contact.first_name}}, dear {{contact.name}}! Adam will write to {{contact.email}}. – {{agent.name}}, {{team.name}}",
  );
  expect(fillCannedReply(kept, vera)).toBe(reply);
});

test("names and addresses with signs that regular expressions know are found too", () => {
  const anne = { contact: { name: "Anne-Marie (AM)", email: "a-b.c+d@x-y.example" }, agent: null, team: "Acme" };
  expect(withPlaceholders("Dear Anne-Marie (AM), write from a-b.c+d@x-y.example", anne)).toBe(
    "Dear {{contact.name}}, write from {{contact.email}}",
  );
});
