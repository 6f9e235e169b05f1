import { expect, test } from "vitest";
import { contentDisposition } from "./content-disposition.ts";

test.each([
  ["photo.png", `inline; filename="photo.png"; filename*=UTF-8''photo.png`],
  ["Größe 1.png", `inline; filename="Gro_e 1.png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.png`],
  [`a"b\\c%.png`, `inline; filename="a_b_c_.png"; filename*=UTF-8''a%22b%5Cc%25.png`],
  ["it's (1)*.png", `inline; filename="it's (1)*.png"; filename*=UTF-8''it%27s%20%281%29%2A.png`],
  ["写真.jpg", `inline; filename="__.jpg"; filename*=UTF-8''%E5%86%99%E7%9C%9F.jpg`],
])("%s stands in the header in plain characters and as it is", (name, header) => {
  expect(contentDisposition("inline", name)).toBe(header);
});
