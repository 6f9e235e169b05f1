import { problemsOf } from "@frontdesk/testing/ajv";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import {
  ActedBy,
  CustomData,
  deliveryExample,
  deliverySchema,
  eventDescriptors,
  eventNames,
  events,
} from "./events.ts";
import { EventDescriptor } from "./resources.ts";

describe("the event catalogue", () => {
  test("holds every event of the specification, contact.updated and contact.erased", () => {
    expect(eventNames).toEqual([
      "message.received",
      "message.sent",
      "conversation.created",
      "conversation.resolved",
      "tag.assigned",
      "tag.removed",
      "custom.data.assigned",
      "custom.data.removed",
      "agent.assigned",
      "contact.updated",
      "contact.erased",
    ]);
  });

  test("describes every event for GET /webhooks/events", () => {
    expect(problemsOf(Type.Array(EventDescriptor), eventDescriptors)).toEqual([]);
    expect(eventDescriptors.map((descriptor) => descriptor.value)).toEqual(eventNames);
    for (const { label, description } of eventDescriptors) expect([label, description].every(Boolean)).toBe(true);
  });

  test.each(eventNames)("has an example of %s that satisfies its schema, envelope included", (name) => {
    expect(problemsOf(deliverySchema(name), deliveryExample(name))).toEqual([]);
  });

  test("message.received, message.sent and tag.assigned hold what the specification gives, and nothing else", () => {
    const keys = (name: keyof typeof events) => Object.keys(events[name].data.properties);
    expect(keys("message.received")).toEqual(["message", "conversation", "visitor"]);
    expect(keys("message.sent")).toEqual(["message", "conversation", "visitor", "agent"]);
    expect(keys("tag.assigned")).toEqual(["conversation", "visitor", "tag", "assigned_by"]);
  });

  test("an event id begins evt_ and the version is 2026-09", () => {
    const schema = deliverySchema("message.received");
    expect(problemsOf(schema, { ...deliveryExample("message.received"), id: "del_1", version: "1.0.0" })).toEqual([
      "/id pattern",
      "/version const",
    ]);
  });

  test("a visitor always has email and phone, and a name only when there is one", () => {
    const { data, example } = events["message.received"];
    const without = (visitor: object) => problemsOf(data, { ...example, visitor });
    expect(without({ id: example.visitor.id, email: null, phone: null })).toEqual([]);
    expect(without({ id: example.visitor.id })).toEqual(["/visitor required email", "/visitor required phone"]);
    expect(without({ ...example.visitor, name: "" })).toEqual(["/visitor/name minLength"]);
  });

  test("the doer is exactly one of agent, automation and system", () => {
    const agent = events["agent.assigned"].example.agent;
    expect(problemsOf(ActedBy, { agent })).toEqual([]);
    expect(problemsOf(ActedBy, { system: {} })).toEqual([]);
    expect(problemsOf(ActedBy, { agent, system: {} })).not.toEqual([]);
    expect(problemsOf(ActedBy, {})).not.toEqual([]);
  });

  test("custom data is a single pair", () => {
    for (const value of ["Business", 3, true, null]) expect(problemsOf(CustomData, { plan: value })).toEqual([]);
    expect(problemsOf(CustomData, { plan: "Business", seats: 3 })).toEqual(["/ maxProperties"]);
    expect(problemsOf(CustomData, { plan: { name: "Business" } })).toEqual(["/plan type"]);
  });
});
