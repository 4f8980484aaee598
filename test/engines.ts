/** The optional engines where they are installed, and tests that are skipped where they are not. */
import type * as SqlEngine from "@duckdb/node-api";
import type * as ImageEngine from "@resvg/resvg-js";
import { it } from "vitest";

// Only loading tells: the package of the platform may be missing below the one that is imported.
const sql = await import("@duckdb/node-api").catch(() => undefined);
const images = await import("@resvg/resvg-js").catch(() => undefined);

/** For tests of `itWithSql`, which do not run without it. */
export const sqlEngine = sql as typeof SqlEngine;
export const itWithSql = it.skipIf(sql === undefined);
/** For tests of `itWithImages`, which do not run without it. */
export const imageEngine = images as typeof ImageEngine;
export const itWithImages = it.skipIf(images === undefined);
