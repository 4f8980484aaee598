/** The command line of mcporter. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contents, noHelp, noSource } from "./answers.mjs";
import { run } from "./command.mjs";

const main = new URL("../../../clients/node_modules/mcporter/dist/cli.js", import.meta.url);
const program = fileURLToPath(main);

export async function open(target) {
  const file = join(mkdtempSync(join(tmpdir(), "edgewise-mcporter-")), "mcporter.json");
  const { kind, token, ...entry } = target;
  const headers = kind === "http" ? { headers: { Authorization: `Bearer ${token}` }, allowHttp: true } : {};
  writeFileSync(file, JSON.stringify({ mcpServers: { edgewise: { ...entry, ...headers } }, imports: [] }));
  const asked = (...args) => run([program, "--config", file, ...args]);
  const help = await run([program, "--help"]);
  return {
    list: async () => JSON.parse(await asked("list", "edgewise", "--json")).tools.map(({ name }) => name),
    call: async (name, args) => {
      const text = await asked("call", `edgewise.${name}`, "--args", JSON.stringify(args), "--output", "text");
      return { shown: text, isError: false };
    },
    read: async (uri) => contents(JSON.parse(await asked("resource", "edgewise", uri, "--json"))),
    prompt: noHelp(help, "its help", /prompt/i, "It has no command for prompts."),
    complete: noHelp(help, "its help", /completion/i, "It has no command for completions."),
    ask: noSource(main.href, "mcporter", /elicit/i, "It has no way for a server to ask its user."),
    close: async () => undefined,
  };
}
