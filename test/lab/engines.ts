/** The optional engines where they are installed, and what tests need that use them. */
import type * as SqlEngine from "@duckdb/node-api";
import type * as ImageEngine from "@resvg/resvg-js";
import { vi } from "vitest";
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

/**
 * Does work without rendering pixels, at which no test looks: to render them takes longer than all the rest. Where the
 * engine is installed, each picture is these bytes.
 */
export async function withoutPixels<T>(bytes: Uint8Array, work: () => Promise<T>): Promise<T> {
  if (images === undefined) return work();
  const made = { asPng: () => bytes } as ReturnType<ImageEngine.Resvg["render"]>;
  const rendering = vi.spyOn(imageEngine.Resvg.prototype, "render").mockReturnValue(made);
  try {
    return await work();
  } finally {
    rendering.mockRestore();
  }
}
