/** `edgewise http`: serves MCP over HTTP until it is stopped. */
import { readFileSync } from "node:fs";
import { Failure } from "../api/failure.js";
import { serveHttp } from "../mcp/http.js";
import { serverFactory } from "../mcp/server.js";
import { type Command, log } from "./command.js";
import { createSurface } from "./surface.js";

/** Reads the token that clients must send; the setting names a file so that the token is never on a command line. */
function tokenOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  let token: string;
  try {
    token = readFileSync(path, "utf8").trim();
  } catch {
    throw new Failure("bad_configuration", `--token-file ${path} cannot be read.`, {
      next: "Check its path and its mode.",
    });
  }
  if (token.length < 16 || /\s/.test(token))
    throw new Failure("bad_configuration", "The token file does not hold a usable token.", {
      next: "Put one line of at least 16 characters into it.",
    });
  return token;
}

export const http: Command = async (config) => {
  const { values } = config;
  const token = tokenOf(values["token-file"]);
  const surface = await createSurface(config);
  const { url, close } = await serveHttp({
    build: serverFactory(surface),
    host: values.host,
    port: values.port,
    log,
    allowedHosts: (values["allowed-hosts"] ?? "").split(",").filter((host) => host !== ""),
    ...(token === undefined ? {} : { token }),
  });
  log(surface.notice);
  log(`edgewise: serving MCP at ${url}`);
  await stopped();
  await close();
  return 0;
};

/** Resolves when the process is asked to stop; a second signal ends it at once. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve());
  });
}
