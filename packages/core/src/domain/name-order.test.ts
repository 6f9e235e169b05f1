import { expect, test } from "vitest";
import { inNameOrder } from "./name-order.ts";

test("names stand as people look for them: letter case and accents last, numbers by their size", () => {
  const names = ["zoo", "Order 10", "apple", "order 9", "Äpfel", "Zoo", "返品", "été", "🎁 gift", "Apple"];
  const order = ["🎁 gift", "Äpfel", "apple", "Apple", "été", "order 9", "Order 10", "zoo", "Zoo", "返品"];
  expect(inNameOrder(names.map((name) => ({ name }))).map(({ name }) => name)).toEqual(order);
});

test("names that are as good as the same keep their order", () => {
  const [composed, taken] = [{ name: "é" }, { name: "e\u0301" }];
  expect(inNameOrder([composed, taken])).toEqual([composed, taken]);
  expect(inNameOrder([taken, composed])).toEqual([taken, composed]);
});
