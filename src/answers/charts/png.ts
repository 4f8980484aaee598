/** Converts an SVG to PNG, with the program's own fonts. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { font } from "./picture.js";

const library = "@expo-google-fonts/inter";

/** The files of the weights that are used, in the library. */
export const fontFiles = ["400Regular/Inter_400Regular.ttf", "600SemiBold/Inter_600SemiBold.ttf"];

/** The paths of the fonts. The library contains every weight, so it is not installed with the program. */
export function fontPaths(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return fontFiles.map((file) => {
    const related = fileURLToPath(new URL(`fonts/${basename(file)}`, import.meta.url));
    return existsSync(related) ? related : resolve(`${library}/${file}`);
  });
}

/** Twice the pixels of the layout, for high-resolution screens; fewer if the picture would have too many bytes. */
const zoom = 2;
const zoomOfDense = 1.5;
const mostBytes = 120_000;

type Engine = typeof import("@resvg/resvg-js");
const installed = (): Promise<Engine> => import("@resvg/resvg-js");

/** Whether the engine is installed. */
export const canMakePng = (): Promise<boolean> =>
  installed().then(
    () => true,
    () => false,
  );

/**
 * Creates a PNG.
 * @param load Loads the engine, which is optional and has a package for each platform.
 * @returns undefined if the engine is not installed.
 */
export async function pngOf(svg: string, load: () => Promise<Engine> = installed): Promise<Uint8Array | undefined> {
  let engine: Engine;
  try {
    engine = await load();
  } catch {
    // Not installed, or not for this platform: its message contains local paths and is not helpful.
    return undefined;
  }
  const drawnAt = (value: number): Uint8Array => {
    const image = new engine.Resvg(svg, {
      fitTo: { mode: "zoom", value },
      font: { loadSystemFonts: false, fontFiles: fontPaths(), defaultFontFamily: font, sansSerifFamily: font },
    });
    return image.render().asPng();
  };
  const png = drawnAt(zoom);
  return png.length <= mostBytes ? png : drawnAt(zoomOfDense);
}
