/** The optional engines where they are installed, and what tests need that use them. */
import type * as SqlEngine from "@duckdb/node-api";
import type * as ImageEngine from "@resvg/resvg-js";
import { need } from "./needs.js";

// Only loading tells: the package of the platform may be missing below the one that is imported.
const sql = await import("@duckdb/node-api").catch(() => undefined);
const images = await import("@resvg/resvg-js").catch(() => undefined);

/** For tests that need it (`needsSql`), which do not run without it. */
export const sqlEngine = sql as typeof SqlEngine;
/** For tests that need it (`needsImages`), which do not run without it. */
export const imageEngine = images as typeof ImageEngine;

export const needsSql = need(sql !== undefined, "@duckdb/node-api");
export const needsImages = need(images !== undefined, "@resvg/resvg-js");
export const needsEngines = need(sql !== undefined && images !== undefined, "@duckdb/node-api and @resvg/resvg-js");
