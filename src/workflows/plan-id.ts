/** The argument that names a plan. */
import { z } from "../api/z.js";

export const planId = z
  .string()
  .regex(/^plan_[\w-]{1,64}$/, "a plan id, such as plan_ and 22 characters, from a preview or an answer")
  .describe("Plan id, from a preview or an answer");
