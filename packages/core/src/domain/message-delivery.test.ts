import { expect, test } from "vitest";
import { worstState } from "./message-delivery.ts";

test("the state of a message is the worst of its recipients", () => {
  expect(worstState(["sent", "failed", "queued"])).toBe("failed");
  expect(worstState(["sent", "unknown", "sending"])).toBe("unknown");
  expect(worstState(["read", "sent", "delivered"])).toBe("sent");
  expect(worstState(["delivered"])).toBe("delivered");
  expect(worstState([])).toBeUndefined();
});
