/** For `vi.waitFor` and `vi.waitUntil`, which give up after a second: as long as `expect.poll` waits (vitest.config.ts). */
export const PATIENT = { timeout: 60_000 };
