/** What is checked by signed reads: whether the credential is accepted, which account it acts on, and what its grants open. */
import { existsSync } from "node:fs";
import { Failure } from "../../api/failure.js";
import { readAccountName } from "../../calls/account.js";
import type { Calls } from "../../calls/index.js";
import { gatewayRefusal } from "../../client/gateway.js";
import type { Config } from "../../config.js";
import type { InProfile } from "../../mcp/surface.js";
import { stateDirOf } from "../../state-dir.js";
import { accountReadings } from "../../tools/index.js";
import { log } from "../command.js";
import { accessByService, firstProbe } from "../grants.js";
import { createSurface } from "../surface.js";
import { type Finding, fail, ok, warning } from "./finding.js";

/** What the grants open, in so far as reads can tell. */
async function grants(calls: Calls): Promise<Finding> {
  const access = await accessByService(calls, Date.now());
  const parts = [
    ["open", access.open],
    ["refused", access.refused],
    ["gone", access.gone],
    ["not known", access.unknown],
  ] as const;
  const found = parts.filter(([, titles]) => titles.length > 0);
  const said = found.map(([word, titles]) => `${word}: ${titles.join(", ")}`).join("; ");
  const isAllOpen = found.length === 1 && access.open.length > 0;
  const what = `By one read of each service: ${isAllOpen ? `all ${access.open.length} are open` : said}.`;
  const next = "Add the grants that you need to the API client. Whether changes are granted, only a change can show.";
  return access.open.length > 0 ? ok("Grants", what, next) : warning("Grants", what, next);
}

/** The account by its name, where the grants let it be read. */
async function account({ calls, account: where }: InProfile): Promise<Finding> {
  const known = await readAccountName(await accountReadings(), (tool, args) => calls.invoke(tool, args));
  return known
    ? ok("Account", `Calls act on ${known.name} (${known.id}), by ${where}.`)
    : warning(
        "Account",
        `Calls act on the account of ${where}; its name cannot be read with these grants.`,
        "Check that it is the account you mean: previews cannot name it either.",
      );
}

/** One signed read, which an API client may or may not be granted: its status shows whether the credential is accepted. */
async function accepted(inProfile: InProfile): Promise<readonly Finding[]> {
  const probe = await firstProbe(Date.now());
  const all = async (what: string) => [ok("Signature", what), await account(inProfile), await grants(inProfile.calls)];
  try {
    await inProfile.calls.invoke(probe.tool, probe.args);
    return await all("The credential is accepted.");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "forbidden" || error.code === "not_found")
      return all(`The credential is accepted; it has no grant for ${probe.title}.`);
    // Only what has passed the gateway can be gone.
    if (error.detail.status === 410) return all(`The credential is accepted; ${probe.title} answered with 410.`);
    const detail = (error.detail.upstream as { detail?: unknown } | undefined)?.detail;
    const said = typeof detail === "string" ? ` The upstream said: ${JSON.stringify(detail.slice(0, 200))}.` : "";
    const refusal = gatewayRefusal(error.detail.status, error.detail.upstream);
    const isOfCredential = error.code === "unauthorized" || error.code === "rejected";
    return [
      fail(
        "Signature",
        `${error.message}${said}`,
        isOfCredential && !refusal
          ? "Check that the four values belong to one API client, that it is active, and the clock."
          : error.detail.next,
      ),
    ];
  }
}

/** The configuration for reads that leave no directory behind where there is none: then they are not recorded either. */
const withoutTraces = (config: Config): { readonly config: Config; readonly log: (line: string) => void } =>
  existsSync(stateDirOf(config)) || stateDirOf(config) === "memory"
    ? { config, log }
    : { config: { ...config, values: { ...config.values, "state-dir": "memory" } }, log: () => undefined };

/** The findings of signed reads with a configuration, whose profile is the only one where it has any. */
export async function identity(given: Config): Promise<readonly Finding[]> {
  const { config, log: write } = withoutTraces(given);
  const surface = await createSurface(config, write);
  try {
    return await accepted(await (await surface.engine()).within(undefined));
  } finally {
    await surface.close();
  }
}
