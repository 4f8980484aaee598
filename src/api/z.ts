/** The one door to zod: nothing else in the project imports it (biome.json forbids it), so its version is one decision. */
export { z } from "zod";
