import { ROOT } from "../service/send.ts";
import { ServiceError } from "../service/service-error.ts";

/**
 * Makes articles of a file.
 *
 * @returns how many, and whether these are all its parts
 * @throws ServiceError when it is refused
 */
export async function importFile(file: File, as: "published" | "draft"): Promise<{ count: number; isWhole: boolean }> {
  const query = new URLSearchParams({ name: file.name || "file", as });
  const answer = await fetch(`${ROOT}/app/api/knowledge/files?${query}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  }).catch(() => undefined);
  if (!answer) throw new ServiceError(0, {});
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ServiceError(answer.status, body);
  return { count: body.article_ids.length, isWhole: body.is_whole };
}
