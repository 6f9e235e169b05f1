/** The REST operation on files. It is ours: the spec takes attachments by their address alone (docs/decisions/0022-files.md). */
import { Type } from "typebox";
import { uploadedFile } from "../examples.ts";
import { NAME_MAX, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { dataOf, UploadedFile } from "../resources.ts";

export const uploadFile = {
  id: "uploadFile",
  performs: "start-upload",
  method: "POST",
  path: "/files",
  tag: "Messages",
  summary: "Upload a file",
  description:
    "Takes a file in, for an attachment of a message: the body of the request is its content, whatever its `Content-Type`. What it is, is found out by its content. Name its `url` in `attachments` of the next message; a file that no message holds after 24 hours is deleted. At most 20 files and 100 MB of a key wait for a message at a time. A repeat uploads another file.",
  query: Type.Object({ name: text(NAME_MAX, { minLength: 1, description: "What the file is called." }) }),
  content: "file",
  responses: { 201: { description: "The file.", body: dataOf(UploadedFile) } },
  errors: [413, 422],
  example: { query: { name: uploadedFile.attributes.name }, response: { data: uploadedFile } },
} as const satisfies RestOperation;
