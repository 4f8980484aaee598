/** Verifies the audit files of a directory. */
import { directorySource } from "../../src/audit/files.js";
import { type Verification, verifyLog } from "../../src/audit/verify.js";

export const verifyDirectory = (dir: string, known?: Parameters<typeof verifyLog>[1]): Promise<Verification> =>
  verifyLog(directorySource(dir), known);
