import { expect, test } from "vitest";
import { attachmentKind, servedAs } from "./file-type.ts";

test.each([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "video/mp4",
  "video/webm",
  "audio/mpeg",
])("%s is shown in place, as what it is", (mime) => {
  expect(servedAs(mime)).toEqual({ contentType: mime, disposition: "inline" });
  expect(attachmentKind(mime)).toBe(mime.split("/")[0]);
});

test.each(["image/svg+xml", "text/html", "application/xml", "application/xhtml+xml", "text/javascript", "image/tiff"])(
  "%s would be saved as mere bytes, and is a file",
  (mime) => {
    expect(servedAs(mime)).toEqual({ contentType: "application/octet-stream", disposition: "attachment" });
    expect(attachmentKind(mime)).toBe("file");
  },
);

test("a text is saved as plain text, and a PDF as a PDF", () => {
  expect(servedAs("text/plain")).toEqual({ contentType: "text/plain; charset=utf-8", disposition: "attachment" });
  expect(servedAs("application/pdf")).toEqual({ contentType: "application/pdf", disposition: "attachment" });
});
