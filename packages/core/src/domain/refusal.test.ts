import { expect, test } from "vitest";
import { because, reasonText, sentenceOf } from "./reasons.ts";
import { hindered, introduceAgain, invalid, notAllowed, notFound, nothingToChange, rateLimited } from "./refusal.ts";

test("a missing thing has one text, whatever the reason it is not there", () => {
  expect(notFound("conversation").message).toBe("Conversation not found.");
  expect(notFound("conversation").detail).toEqual({ name: "not-found.conversation" });
});

test("an obstacle is answered with what to do about it, each in words of its own", () => {
  expect(hindered("resolved").message).toBe("This conversation is resolved. Reopen it first: unresolve-conversation.");
  expect(hindered("handed-over").reason).toEqual({ name: "obstacle", obstacle: "handed-over" });
});

test("a validation error lists its sentences by field, and beside them their reasons", () => {
  const refusal = invalid({
    name: because("too-long", { max: 40 }),
    "agents.0.email": ["in-team-already", "email-twice"],
  });
  expect(refusal.message).toBe("Some fields are invalid.");
  expect(refusal.reason).toEqual({
    name: "invalid",
    errors: {
      name: ["Please use at most 40 characters."],
      "agents.0.email": [
        "A person with this email address is already in the team.",
        "This email address is in the list twice.",
      ],
    },
  });
  expect(refusal.fields).toEqual({
    name: [{ name: "too-long", values: { max: 40 } }],
    "agents.0.email": [{ name: "in-team-already" }, { name: "email-twice" }],
  });
});

test("a field may have any name, those of an object's own parts too", () => {
  const fields = JSON.parse('{"__proto__":"empty","constructor":"empty"}');
  expect(Object.keys(invalid(fields).fields ?? {})).toEqual(["__proto__", "constructor"]);
});

test("a change that names nothing is refused at every field it could have named", () => {
  const { reason } = nothingToChange(["name", "email", "phone"]);
  const sentence = "Please send at least one of name, email and phone.";
  expect(reason).toEqual({ name: "invalid", errors: { name: [sentence], email: [sentence], phone: [sentence] } });
});

test("a refusal that needs a new identity of the visitor names the field", () => {
  const sentence = "Please identify the visitor again.";
  expect(introduceAgain()).toMatchObject({
    message: sentence,
    reason: { name: "not-authenticated", errors: { identity: [sentence] } },
    detail: { name: "introduce-again" },
  });
});

test("a refusal of one kind may have several reasons", () => {
  expect(notAllowed("role")).toMatchObject({ reason: { name: "not-allowed" }, detail: { name: "role" } });
  expect(notAllowed("access-off")).toMatchObject({ reason: { name: "not-allowed" }, detail: { name: "access-off" } });
  expect(rateLimited(7).reason).toEqual({ name: "rate-limited", retryAfterSeconds: 7 });
});

test("a sentence is filled with its values, and with them alone", () => {
  expect(sentenceOf(because("widget-site", { site: "{site} $&" }))).toBe(
    '"{site} $&" must be a full address, like https://www.example.com.',
  );
  expect(sentenceOf("empty")).toBe("Please fill this in.");
});

test("no two reasons have the same sentence, but for what is at an address", () => {
  const sentences = Object.values(reasonText);
  const twice = sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index);
  expect(twice).toEqual([reasonText["http.no-such-address"]]);
});
