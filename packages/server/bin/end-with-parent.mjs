/**
 * Loaded into the server before `main.ts`: when the process that watches over it is gone without a word (killed outright,
 * or with its whole process group, which the server is not in), the server stops as if it had been asked to.
 */
if (process.channel) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // The channel must not keep alive what has ended by itself.
  process.channel.unref();
}
