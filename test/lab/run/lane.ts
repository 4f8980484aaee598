/** Which of the two lanes a test runs in, as its project in vitest.config.ts says. */

/** Whether servers, browsers and databases are started: `npm run test:system`, not `npm test`. */
export const isSystemLane = process.env["TEST_LANE"] === "system";
/** How many instances of a server a test over HTTP runs against: several, behind a proxy, in the project "instances". */
export const instanceCount = Number(process.env["TEST_INSTANCES"] ?? 1);
