import type { UploadedFile } from "@frontdesk/core/contract/visitor";
import { type Problem, UNANSWERED } from "./visitor-requests.ts";

/** A file that is being uploaded. */
export interface Upload {
  /** Never rejects. `status` 0: there was no answer, or it was cancelled. */
  readonly done: Promise<UploadAnswer>;
  cancel(): void;
}

export type UploadAnswer =
  | { readonly ok: true; readonly body: { readonly file: UploadedFile } }
  | { readonly ok: false; readonly status: number; readonly body: Problem };

/** A file as a page has it. */
export interface FileToSend {
  readonly name: string;
  readonly size: number;
}

/** XMLHttpRequest, the part we use: `fetch` reports no upload progress. */
interface Request {
  upload: { onprogress: (event: { loaded: number; total: number }) => void };
  onloadend: () => void;
  status: number;
  responseText: string;
  open(method: string, address: string): void;
  setRequestHeader(name: string, value: string): void;
  send(file: FileToSend): void;
  abort(): void;
}
declare const XMLHttpRequest: new () => Request;

/**
 * Uploads a file ahead of its message. Only where there is an XMLHttpRequest: in browsers.
 *
 * @param onProgress called with the uploaded part, from 0 to 1
 */
export function uploadFile(
  address: string,
  token: string,
  file: FileToSend,
  onProgress: (part: number) => void,
): Upload {
  const request = new XMLHttpRequest();
  const done = new Promise<UploadAnswer>((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onloadend = () => resolve(read(request));
  });
  request.open("POST", `${address}?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader("Authorization", `Bearer ${token}`);
  // The service detects the type from the content.
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  return { done, cancel: () => request.abort() };
}

/** A captive portal's page is not JSON. */
function read({ status, responseText }: Request): UploadAnswer {
  try {
    const body = JSON.parse(responseText);
    return status < 300 ? { ok: true, body } : { ok: false, status, body };
  } catch {
    return UNANSWERED;
  }
}
