/** The only import of zod; biome.json forbids all others, so that its version is chosen in one place. */
export { z } from "zod";
