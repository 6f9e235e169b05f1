/** `npm run test:deep`: everything, including slow tests. */
export const deep = process.env.FRONTDESK_TEST_DEEP === "1";

/** A volume: small in `npm test`, full in `npm run test:deep`. */
export const inDepth = <T>(quick: T, whole: T): T => (deep ? whole : quick);
