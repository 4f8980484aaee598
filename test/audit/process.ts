/** A process of its own for the tests of the audit: writes calls, or verifies a directory, as its arguments say. */
import { newAuditedCall } from "../../src/audit/index.js";
import { auditIn } from "./opened.js";
import { verifyDirectory } from "./verified.js";

const [action, dir = "", count = "0", tier = "read", maxFileBytes = "20000"] = process.argv.slice(2);
const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function write(): Promise<void> {
  const audit = auditIn(dir, { log, maxFileBytes: Number(maxFileBytes) });
  for (let call = 0; call < Number(count); call += 1) {
    const recorded = await audit
      .intent({
        ...newAuditedCall(call),
        who: "local",
        account: "a",
        tool: "t",
        tier: tier as "read",
      })
      .catch((error: { readonly code: string }) => log(`refused: ${error.code}`));
    if (recorded) await audit.outcome(recorded, { code: "ok", requests: 1, ms: 1 });
    if (call % 50 === 0) process.stdout.write(`${call}\n`);
    // Other work of the process goes on between two calls.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await audit.close();
}

if (action === "write") await write();
else process.stdout.write(JSON.stringify(await verifyDirectory(dir)));
