/** Stands before the server over stdio and writes down which revision of the protocol a client speaks. */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [, , record, ...server] = process.argv;
const child = spawn(process.execPath, server, { stdio: ["pipe", "inherit", "inherit"] });
let text = "";
process.stdin.on("data", (chunk) => {
  text += chunk;
  const lines = text.split("\n");
  text = lines.pop() ?? "";
  for (const line of lines) {
    const { method, params } = JSON.parse(line);
    const revision = params?.protocolVersion ?? params?._meta?.["io.modelcontextprotocol/protocolVersion"];
    if (revision !== undefined) appendFileSync(record, `${method} ${revision}\n`);
  }
});
process.stdin.pipe(child.stdin);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
