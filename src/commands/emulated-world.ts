/** What a person at a shell has to know of the emulated world of a command, which begins and ends with it. */
import type { FinalOutcome } from "../calls/index.js";
import { type Config, isEmulated } from "../config.js";
import type { Catalogue } from "../engine/catalogue.js";
import type { AnyOperation } from "../language/define.js";
import { Failure } from "../language/failure.js";
import { serviceOf } from "../tools/index.js";
import { programLine } from "./paste-line.js";

const howToKeep = (): string =>
  `to keep one, start \`${programLine("emulator")}\` and give each command --upstream with the address that it prints`;

/** Whether a tool reports the state, or returns the result, of a job that another one launches. */
async function isAboutJob(tool: string, service: string): Promise<boolean> {
  const { operations = {} } = (await serviceOf(service)) ?? {};
  return Object.values<AnyOperation>(operations).some(
    ({ spec: { awaits } }) => awaits?.status === tool || awaits?.result === tool,
  );
}

/** Whether a call was made that may have changed or started something. */
function hasActed(outcome: FinalOutcome, tool: string, catalogue: Catalogue): boolean {
  const mayAct = (name: string) => catalogue.get(name)?.effect !== "read";
  if (outcome.kind === "answer") return mayAct(tool);
  if (outcome.kind !== "workflow") return false;
  // Only a batch counts the calls that it has made; a composed change with nothing to do has none.
  const { tool: made, done } = outcome.result;
  return typeof made === "string" && typeof done === "number" && done > 0 && mayAct(made);
}

/**
 * An outcome that does not claim to know what this process never saw, and a line about the world after a change.
 * @returns The outcome as it is, and no line, where calls go elsewhere.
 */
export async function inEmulatedWorld(
  outcome: FinalOutcome,
  tool: string,
  config: Config,
  catalogue: Catalogue,
): Promise<{ readonly outcome: FinalOutcome; readonly line?: string }> {
  if (!isEmulated(config)) return { outcome };
  if (hasActed(outcome, tool, catalogue))
    return {
      outcome,
      line: `edgewise: this was done in an emulated world that ends with this command; ${howToKeep()}`,
    };
  const other = `This command has an emulated world of its own, which never saw what another one did; ${howToKeep()}.`;
  if (outcome.kind === "failure") {
    const { code, message, detail } = outcome.failure;
    if (detail.status !== 404) return { outcome };
    return {
      outcome: { kind: "failure", failure: new Failure(code, message, { ...detail, next: `${detail.next} ${other}` }) },
    };
  }
  const entry = catalogue.get(tool);
  if (outcome.kind !== "answer" || !entry || !(await isAboutJob(tool, entry.service))) return { outcome };
  const { reply } = outcome;
  return { outcome: { ...outcome, reply: { ...reply, notes: [other, ...reply.notes] } } };
}
