import { ROOT } from "./send.ts";
import { ServiceError } from "./service-error.ts";

export interface SentFile {
  url: string;
  name: string;
  mime: string;
  size: number;
}

/**
 * Sends a file as a request body. By XMLHttpRequest, because `fetch` reports no upload progress.
 *
 * @param onProgress from 0 to 1
 * @throws ServiceError when it is refused
 */
export function uploadFile(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<SentFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${ROOT}/app/api/v1/files?name=${encodeURIComponent(file.name || "file")}`);
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = request.response as { data?: { attributes?: SentFile } } | null;
      const sent = answer?.data?.attributes;
      if (request.status < 300 && sent) resolve(sent);
      else reject(new ServiceError(request.status, (request.response ?? {}) as object));
    };
    request.onerror = () => reject(new ServiceError(0, {}));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
