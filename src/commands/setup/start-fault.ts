/** Whether a server would start with an entry of a client, as far as its words and its variables tell. */
import { isAbsolute } from "node:path";
import { Failure } from "../../api/failure.js";
import { isRecord } from "../../api/member.js";
import { readConfig } from "../../config.js";
import type { Catalogue } from "../../mcp/catalogue.js";
import { loadPolicy } from "../../policy/file.js";
import { configuredProfiles } from "../../profiles/index.js";
import type { Fields } from "./edit.js";
import { startedBy } from "./renewed.js";

/**
 * Why it would not; undefined where nothing says so.
 * @param tools The tools, which a policy names.
 */
export async function startFault(entry: Fields, tools: () => Catalogue): Promise<Failure | undefined> {
  const variables = isRecord(entry["env"]) ? Object.entries(entry["env"]) : [];
  try {
    const { values } = readConfig(
      startedBy(entry).words,
      Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
    );
    await configuredProfiles(values);
    // Another path depends on the directory in which the client starts the server.
    if (values.policy !== undefined && isAbsolute(values.policy)) loadPolicy(values.policy, tools());
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error;
  }
}
