/** The argument that confirms a call, the same for an operation that is guarded and for a change that is composed. */
import { z } from "./z.js";

export const Confirm = z.string().optional().describe("Id of the approved plan");
