/** Makes a PNG of an SVG, with the fonts that come with the program and none of the machine's. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { font } from "./picture.js";

const library = "@expo-google-fonts/inter";

/** The files of the weights that are used, in the library. */
export const fontFiles = ["400Regular/Inter_400Regular.ttf", "600SemiBold/Inter_600SemiBold.ttf"];

/** The paths of the fonts. The library has every weight there is, so it is not installed with the program. */
export function fontPaths(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return fontFiles.map((file) => {
    const beside = fileURLToPath(new URL(`fonts/${basename(file)}`, import.meta.url));
    return existsSync(beside) ? beside : resolve(`${library}/${file}`);
  });
}

/** Twice the pixels that the layout has, for screens that have them; less where a dense picture is too many bytes so. */
const zoom = 2;
const zoomOfDense = 1.5;
const mostBytes = 120_000;

type Engine = typeof import("@resvg/resvg-js");
const installed = (): Promise<Engine> => import("@resvg/resvg-js");

/** Whether the engine is there. */
export const canMakePng = (): Promise<boolean> =>
  installed().then(
    () => true,
    () => false,
  );

/**
 * Makes a PNG.
 * @param load Loads the engine, which is optional and has a package for each platform.
 * @returns undefined where the engine is not there.
 */
export async function pngOf(svg: string, load: () => Promise<Engine> = installed): Promise<Uint8Array | undefined> {
  let engine: Engine;
  try {
    engine = await load();
  } catch {
    // Not installed, or not for this platform: what it says holds local paths and helps nobody further.
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
