/** How many instances of a server a test over HTTP runs against: several, behind a proxy, in the project "instances". */
export const instanceCount = Number(process.env["TEST_INSTANCES"] ?? 1);
