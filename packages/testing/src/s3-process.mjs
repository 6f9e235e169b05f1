/** The process of `s3-server.ts`: ends when its standard input closes, which happens also when whoever started it is killed. */
// @ts-expect-error The package comes without types.
import S3rver from "@20minutes/s3rver";

const [directory, bucket, port] = process.argv.slice(2);
const server = new S3rver({
  address: "127.0.0.1",
  port: Number(port),
  silent: true,
  directory,
  // Buckets by their name in the host as well: `files.localhost`.
  serviceEndpoint: "localhost",
  configureBuckets: [{ name: bucket }],
});
await server.run();
console.log("ready");
process.stdin.resume().on("end", () => process.exit());
