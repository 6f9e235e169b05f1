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
    "Uploads a file to attach to a message. The request body is the file's content, whatever its `Content-Type`; the file type is detected from the content. Pass its `url` in `attachments` of the next message. Files that are not attached to a message within 24 hours are deleted. Each key can have at most 20 files and 100 MB waiting for a message. A repeated request uploads another file.",
  query: Type.Object({ name: text(NAME_MAX, { minLength: 1, description: "The file name." }) }),
  content: "file",
  responses: { 201: { description: "The file.", body: dataOf(UploadedFile) } },
  errors: [413, 422],
  example: { query: { name: uploadedFile.attributes.name }, response: { data: uploadedFile } },
} as const satisfies RestOperation;
