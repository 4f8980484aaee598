/** Draws the icon of the bundle, `assets/icon.png`, from the drawing that is also the icon of the desk's pages. */
import { readFileSync, writeFileSync } from "node:fs";

/** The size that the format of bundles asks for, in pixels. */
const width = 512;

/** Draws it anew where the engine is there for the platform; the pixels are the same on all. */
export async function drawIcon(): Promise<void> {
  const engine = await import("@resvg/resvg-js").catch(() => undefined);
  if (!engine) return;
  const image = new engine.Resvg(readFileSync("src/mcp/http/desk/desk.svg", "utf8"), {
    fitTo: { mode: "width", value: width },
  });
  writeFileSync("assets/icon.png", image.render().asPng());
}
