/** Small files of several kinds. */

/** One transparent pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
export const PDF = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
export const SVG_WITH_SCRIPT = Buffer.from(
  "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>alert(document.domain)</script></svg>",
);
export const HTML_WITH_SCRIPT = Buffer.from("<!doctype html><script>alert(document.domain)</script>");
