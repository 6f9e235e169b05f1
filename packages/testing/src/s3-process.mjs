/** The process of `s3-server.ts`: exits when its standard input closes, which also happens when its parent is killed. */
// @ts-expect-error The package has no types.
import S3rver from "@20minutes/s3rver";

const [directory, bucket, port] = process.argv.slice(2);
const server = new S3rver({
  address: "127.0.0.1",
  port: Number(port),
  silent: true,
  directory,
  // Buckets also by host name: `files.localhost`.
  serviceEndpoint: "localhost",
  configureBuckets: [{ name: bucket }],
});
await server.run();
console.log("ready");
process.stdin.resume().on("end", () => process.exit());
