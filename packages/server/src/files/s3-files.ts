import { openAsBlob } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { StorageUnavailable } from "../storage/database.ts";
import type { FileKey, FileStorage } from "./file-storage.ts";

/** A bucket of any store that speaks S3's protocol. */
export interface S3Settings {
  /** `https://s3.eu-central-1.amazonaws.com`, without a slash at the end. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** `https://endpoint/bucket/…` rather than `https://bucket.endpoint/…`. */
  pathStyle: boolean;
}

/** Until the store begins to answer, including retries; an upload counts as a whole. */
const PATIENCE_MS = { GET: 10_000, PUT: 60_000, DELETE: 10_000 };
/** The waits before temporary errors are retried. */
const RETRY_WAITS_MS = [100, 400];
/** SHA-256 of nothing. */
const NO_CONTENT_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface Asked {
  method: keyof typeof PATIENCE_MS;
  /** A file, or a setting of the bucket. */
  key: FileKey | "versioning";
  range?: string;
  content?: { path: string; sha256: string };
}

/** A bucket keeps what is removed while `on`; while `suspended` it has what it kept before. */
export type Versioning = "on" | "suspended" | "off";

export interface Bucket extends FileStorage {
  versioning(): Promise<Versioning>;
}

const VERSIONING_STATUS: Record<string, Versioning> = { Enabled: "on", Suspended: "suspended" };

/** Files in a bucket, as `<team>/<id>`. They pass through us in both directions, so that the bucket can be private. */
export function s3Files(settings: S3Settings): Bucket {
  return {
    name: `the bucket ${settings.bucket} at ${new URL(settings.endpoint).host}`,

    async put(key, draft) {
      const answer = await ask({ method: "PUT", key, content: draft });
      await answer.body?.cancel();
      await rm(draft.path, { force: true });
    },

    async read(key, range) {
      const answer = await ask({ method: "GET", key, ...(range && { range: `bytes=${range.first}-${range.last}` }) });
      if (answer.status === 404 || !answer.body) return undefined;
      return Readable.fromWeb(answer.body);
    },

    async remove(key) {
      const answer = await ask({ method: "DELETE", key });
      await answer.body?.cancel();
    },

    async versioning() {
      const answer = await ask({ method: "GET", key: "versioning" });
      const status = /<Status>([^<]*)<\/Status>/.exec(await answer.text())?.[1];
      return (status && VERSIONING_STATUS[status]) || "off";
    },
  };

  /**
   * The store's answer, a success or that there is no such file.
   *
   * @throws StorageUnavailable for any other, and for none
   */
  async function ask(asked: Asked): Promise<Response> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new Error("no answer in time")), PATIENCE_MS[asked.method]);
    try {
      for (const wait of [...RETRY_WAITS_MS, undefined]) {
        const outcome = await attempt(asked, patience.signal).catch((error: unknown) =>
          problem(reasonOf(error), !patience.signal.aborted, error),
        );
        if (outcome instanceof Response) return outcome;
        if (wait === undefined || !outcome.mayPass) throw outcome.error;
        await delay(wait);
      }
    } finally {
      clearTimeout(timer);
    }
    throw new Error("Nothing was asked.");
  }

  async function attempt(asked: Asked, signal: AbortSignal): Promise<Response | Problem> {
    const answer = await send(asked, signal);
    if (answer.ok) return answer;
    const code = /<Code>([^<]*)<\/Code>/.exec(await answer.text())?.[1] ?? "no reason";
    // A missing bucket is 404 as well, but not a missing file.
    if (answer.status === 404 && code !== "NoSuchBucket" && asked.method !== "PUT") {
      return new Response(null, { status: 404 });
    }
    return problem(`${answer.status} ${code}`, answer.status >= 500 || answer.status === 429);
  }

  async function send({ method, key, range, content }: Asked, signal: AbortSignal): Promise<Response> {
    const { region, accessKeyId, secretAccessKey } = settings;
    const signer = new AwsV4Signer({
      method,
      url: addressOf(key),
      headers: { "x-amz-content-sha256": content?.sha256 ?? NO_CONTENT_SHA256 },
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
    });
    const { url, headers } = await signer.sign();
    headers.set("accept-encoding", "identity");
    if (range) headers.set("range", range);
    return fetch(url, {
      method,
      headers,
      // Its length is known and it is streamed.
      ...(content && { body: await openAsBlob(content.path) }),
      // A signature for one host must not be sent to another.
      redirect: "manual",
      signal,
    });
  }

  function addressOf(key: Asked["key"]): string {
    const { endpoint, bucket, pathStyle } = settings;
    const name = key === "versioning" ? "?versioning" : `${key.teamId}/${key.id}`;
    if (pathStyle) return `${endpoint}/${bucket}/${name}`;
    const { protocol, host, pathname } = new URL(endpoint);
    return `${protocol}//${bucket}.${host}${pathname.replace(/\/$/, "")}/${name}`;
  }

  function problem(reason: string, mayPass: boolean, cause?: unknown): Problem {
    const { bucket, endpoint } = settings;
    const text = `The bucket ${bucket} at ${new URL(endpoint).host} does not take or give files: ${reason}`;
    return { error: new StorageUnavailable(text, { cause }), mayPass };
  }
}

interface Problem {
  error: StorageUnavailable;
  /** Whether a retry may succeed. */
  mayPass: boolean;
}

/** For a failed connection, only the error's code says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? cause.message : message;
}
