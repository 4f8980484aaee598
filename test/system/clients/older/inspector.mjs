/** The command line of the MCP Inspector that npm installs on Node 20. */
import { fileURLToPath } from "node:url";
import { contents, messages, shown } from "../drivers/answers.mjs";
import { run } from "../drivers/command.mjs";

const program = fileURLToPath(
  new URL("node_modules/@modelcontextprotocol/inspector/cli/build/cli.js", import.meta.url),
);
const asPair = ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;

export async function open(target) {
  const settings = target.env ? Object.entries(target.env).flatMap((pair) => ["-e", asPair(pair)]) : [];
  const asked = async (method, flag, given = {}, ...more) => {
    const pairs = Object.entries(given).flatMap((pair) => [flag, asPair(pair)]);
    const server = target.kind === "stdio" ? [target.command, ...target.args] : [target.url, "--transport", "http"];
    return JSON.parse(await run([program, "--cli", ...settings, ...server, "--method", method, ...more, ...pairs]));
  };
  return {
    list: async () => (await asked("tools/list")).tools.map(({ name }) => name),
    call: async (name, args) => shown(await asked("tools/call", "--tool-arg", args, "--tool-name", name)),
    read: async (uri) => contents(await asked("resources/read", "", {}, "--uri", uri)),
    prompt: async (name, args) => messages(await asked("prompts/get", "--prompt-args", args, "--prompt-name", name)),
    complete: async () => (await asked("completion/complete")).completion.values,
    close: async () => undefined,
  };
}
