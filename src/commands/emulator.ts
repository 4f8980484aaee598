/** `edgewise emulator`: serves the embedded emulator to other programs, with credentials that work only there. */
import { serveEmulator } from "../emulator/serve.js";
import { createConfiguredEmulator } from "../engine/upstream.js";
import { createHolderLookup, readTokens, rejectionOfToken, type TokenHolder } from "../mcp/http/access.js";
import { type Command, log, print } from "./command.js";
import { untilStopped } from "./http.js";

/** The error for requests without a token to the controls, if tokens are required. */
function refusalOf(holders: readonly TokenHolder[]): NonNullable<Parameters<typeof serveEmulator>[0]["refusalOf"]> {
  const known = { holder: createHolderLookup(holders), isOpen: false };
  return (request) => rejectionOfToken(request, known);
}

export const emulatorCommand: Command = async (config) => {
  const { values } = config;
  const file = values["token-file"];
  const controls = file === undefined ? {} : { refusalOf: refusalOf(readTokens("--token-file", file, "client")) };
  const { emulator: api, credentials } = await createConfiguredEmulator(config);
  const { url, close } = await serveEmulator({ host: values.host, port: values.port, emulator: api, ...controls });
  print(url);
  log(`edgewise: the emulator listens at ${url}; its credentials are public and worthless elsewhere:`);
  log(`  client_token  = ${credentials.clientToken}`);
  log(`  client_secret = ${credentials.clientSecret}`);
  log(`  access_token  = ${credentials.accessToken}`);
  log(
    `edgewise: POST ${url}/_emulator/reset discards every change; /_emulator/seed and /_emulator/advance set the world`,
  );
  if (file !== undefined) log("edgewise: these three need a bearer token of --token-file");
  await untilStopped();
  await close();
  return 0;
};
