/** Where the fonts of the pictures are: beside the built program, or in the library from which the build copies them. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

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
