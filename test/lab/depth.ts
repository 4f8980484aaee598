/** How deep the tests go that draw what they try: `npm run test:deep` goes ten times as deep. */

const depth = Number(process.env["TEST_DEPTH"] ?? 1);

/** How often a property is tried, or how many of something are drawn. */
export const runs = (usual: number): number => usual * depth;
