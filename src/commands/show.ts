/** `edgewise show`: reads a resource, or lists all of them. */
import { createSurface } from "../engine/create-surface.js";
import { readingsFor, serverMenu } from "../engine/menu.js";
import { librariesOf } from "../engine/surface.js";
import { Failure } from "../language/failure.js";
import { splitAddress } from "../mcp/profile-address.js";
import { readResource } from "../resources/index.js";
import { type Command, exitCodeOf, log, logFailure, print } from "./command.js";
import { columnsOfTerminal, terminalTable } from "./terminal.js";

const isJson = (mimeType: string): boolean => /[/+]json$/.test(mimeType);

export const showCommand: Command = async (config, [address]) => {
  const surface = await createSurface(config, log);
  const menu = serverMenu(surface);
  const readings = readingsFor(surface.readings, menu);
  const { profiles } = menu.choice;
  try {
    if (address === undefined) {
      const { listResources, listTemplates } = await import("../mcp/reading.js");
      const listed = [
        ...listResources(readings, profiles).map(({ uri, title }) => ({ address: uri, title })),
        ...listTemplates(readings, profiles).map(({ uriTemplate, title }) => ({ address: uriTemplate, title })),
      ];
      terminalTable(listed, columnsOfTerminal(process.stdout)).lines.forEach(print);
      return 0;
    }
    const { address: resourceUri, profile } = splitAddress(address, profiles);
    const origin = { owner: "local", signal: undefined, offer: menu };
    const content = await readResource(librariesOf(surface, menu)(profile), resourceUri, origin);
    if (!content)
      throw new Failure("not_found", `There is no resource ${JSON.stringify(address)}.`, {
        next:
          profiles && profile === undefined
            ? "Resources of an account need --profile; `edgewise show` lists all resources."
            : "`edgewise show` lists the resources; fill in the parts in braces.",
      });
    print(isJson(content.mimeType) ? JSON.stringify(JSON.parse(content.text), null, 2) : content.text.trimEnd());
    return 0;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "bad_configuration") throw error;
    logFailure(error);
    return exitCodeOf(error);
  } finally {
    await surface.close();
  }
};
