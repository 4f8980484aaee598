/** How deep the tests go that draw what they try: `npm run test:deep` goes ten times as deep. */

const depth = Number(process.env["TEST_DEPTH"] ?? 1);

/** How often a property is tried, or how many of something are drawn. */
export const runs = (usual: number): number => usual * depth;

/** Whether this is a deep run. */
export const isDeep = depth > 1;

/** All of a list in a deep run, and otherwise what stands for it. */
export const inDepth = <T>(all: readonly T[], few: readonly T[]): readonly T[] => (isDeep ? all : few);
