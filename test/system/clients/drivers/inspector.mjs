/** The command line of MCP Inspector. */
import { fileURLToPath } from "node:url";
import { contents, messages, shown } from "./answers.mjs";
import { run } from "./command.mjs";

const program = fileURLToPath(
  new URL(
    "../../../clients/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    import.meta.url,
  ),
);

export async function open(target, _, era = []) {
  const settings = target.env ? Object.entries(target.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]) : [];
  const server =
    target.kind === "stdio"
      ? [...settings, "--", target.command, ...target.args]
      : ["--transport", "http", "--server-url", target.url, "--header", `Authorization: Bearer ${target.token}`];
  const asked = async (method, ...more) => {
    const own = ["--method", method, ...more, ...era, "--format", "json", "-q"];
    return JSON.parse(await run([program, "--cli", ...own, ...server])).result;
  };
  return {
    list: async () => (await asked("tools/list")).tools.map(({ name }) => name),
    call: async (name, args) =>
      shown(await asked("tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args))),
    read: async (uri) => contents(await asked("resources/read", "--uri", uri)),
    prompt: async (name, args) =>
      messages(
        await asked(
          "prompts/get",
          "--prompt-name",
          name,
          ...Object.entries(args).flatMap(([key, value]) => ["--prompt-args", `${key}=${value}`]),
        ),
      ),
    complete: async () => (await asked("completion/complete")).completion.values,
    close: async () => undefined,
  };
}
