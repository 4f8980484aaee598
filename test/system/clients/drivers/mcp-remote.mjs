/** mcp-remote: a bridge for clients that speak stdio alone; the SDK's client, version 1, stands on its near side. */
import { fileURLToPath } from "node:url";
import { open as openSdk } from "./sdk-v1.mjs";

const program = fileURLToPath(new URL("../../../clients/node_modules/mcp-remote/dist/proxy.js", import.meta.url));

export const open = ({ url, token }, ask) =>
  openSdk(
    {
      kind: "stdio",
      command: process.execPath,
      // No space after the colon: some clients split what they are given at spaces, and its own guide writes it so.
      args: [program, url, "--allow-http", "--transport", "http-only", "--header", `Authorization:Bearer ${token}`],
      env: process.env,
    },
    ask,
  );
