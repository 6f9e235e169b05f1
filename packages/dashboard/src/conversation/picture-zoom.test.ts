import { expect, test } from "vitest";
import { panned, WHOLE, zoomed } from "./picture-zoom.ts";

const stage = { width: 1000, height: 600 };
const middle = { x: 0, y: 0 };

test("what lies under the hand stays there while a picture grows", () => {
  const at = { x: 200, y: -100 };
  const view = zoomed(WHOLE, 2, at, stage);
  // The point of the image under `at`, from its middle, in its own size.
  const under = { x: (at.x - view.x) / view.scale, y: (at.y - view.y) / view.scale };
  expect(view.scale).toBe(2);
  expect(under).toEqual(at);
});

test("a picture gets no smaller than the whole of it, which is centered, and no larger than eight times", () => {
  const large = zoomed(zoomed(WHOLE, 100, { x: 400, y: 200 }, stage), 100, middle, stage);
  expect(large.scale).toBe(8);
  expect(zoomed(large, 0.001, { x: 300, y: 0 }, stage)).toEqual(WHOLE);
});

test("a picture is never pushed off the screen, and the whole of it cannot be moved", () => {
  expect(panned(WHOLE, { x: 50, y: 50 }, stage)).toEqual(WHOLE);
  const view = panned({ scale: 2, x: 0, y: 0 }, { x: 10_000, y: -10_000 }, stage);
  expect(view).toEqual({ scale: 2, x: 500, y: -300 });
});
