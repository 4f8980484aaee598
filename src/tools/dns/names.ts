/** The form of a zone's name in a path, in both generations of the API. */
import { z } from "../../language/z.js";

/** The name of a zone in a path. */
export const zone = z
  .string()
  .regex(
    /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*$/,
    "a zone name such as example.com, in ASCII, without a trailing dot",
  );
