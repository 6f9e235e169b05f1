/** The process of `s3-server.ts`: exits when its standard input closes, which also happens when its parent is killed. */
// @ts-expect-error The package has no types.
import S3rver from "@20minutes/s3rver";

const [directory, bucket, port, versioning] = process.argv.slice(2);
const server = new S3rver({
  address: "127.0.0.1",
  port: Number(port),
  silent: true,
  directory,
  // Buckets also by host name: `files.localhost`.
  serviceEndpoint: "localhost",
  configureBuckets: [{ name: bucket }],
});
/**
 * The package knows no versions; this is what Amazon answers.
 *
 * @param {{ method: string, querystring: string, type: string, body: string }} ctx
 * @param {() => Promise<void>} next
 */
async function answerVersioning(ctx, next) {
  if (!versioning || ctx.method !== "GET" || ctx.querystring !== "versioning") return next();
  const status = versioning === "off" ? "" : `<Status>${versioning}</Status>`;
  ctx.type = "application/xml";
  ctx.body = `<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${status}</VersioningConfiguration>`;
}
server.middleware.unshift(answerVersioning);
await server.run();
console.log("ready");
process.stdin.resume().on("end", () => process.exit());
