/** `edgewise emulator`: serves the embedded emulator to other programs, with credentials that work only there. */
import { serveEmulator } from "../emulator/serve.js";
import { createConfiguredEmulator } from "../upstream.js";
import { type Command, log, print } from "./command.js";
import { stopped } from "./http.js";

export const emulator: Command = async (config) => {
  const { values } = config;
  const { emulator: api, credentials } = await createConfiguredEmulator(config);
  const { url, close } = await serveEmulator({ host: values.host, port: values.port, emulator: api });
  print(url);
  log(`edgewise: the emulator listens at ${url}; its credentials are public and worth nothing elsewhere:`);
  log(`  client_token  = ${credentials.clientToken}`);
  log(`  client_secret = ${credentials.clientSecret}`);
  log(`  access_token  = ${credentials.accessToken}`);
  log(
    `edgewise: POST ${url}/_emulator/reset forgets every change; /_emulator/seed and /_emulator/advance set the world`,
  );
  await stopped();
  await close();
  return 0;
};
