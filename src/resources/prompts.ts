/** The prompts that services declare, with their arguments validated and filled in. */
import { Failure } from "../language/failure.js";
import { type Prompt, type PromptArgument, stops } from "../language/prompt.js";
import type { LiveValues } from "../language/reading.js";
import type { Service } from "../language/service.js";
import { didYouMean } from "../text/nearest.js";
import { promptOf } from "../tools/guides.js";
import { matchingValues } from "./live-values.js";

/** The properties of a prompt that are known without loading its service. */
export interface PromptListing extends Omit<Prompt, "task" | "steps" | "arguments"> {
  readonly service: string;
  readonly arguments: readonly Omit<PromptArgument, "values">[];
}

/** The listing of prompts, made from the declarations; for the build and the tests. */
export async function promptsOf(services: readonly Pick<Service, "name">[]): Promise<PromptListing[]> {
  const prompts = await Promise.all(services.map(async ({ name }) => [name, await promptOf(name)] as const));
  return prompts.flatMap(([service, prompt]) => {
    if (prompt === undefined) return [];
    const { task: _, steps: __, arguments: known, ...listing } = prompt;
    return { ...listing, arguments: known.map(({ values: ___, ...argument }) => argument), service };
  });
}

const invalid = (what: string): Failure =>
  new Failure("invalid_input", what, { next: "Correct the arguments and ask for the prompt again." });

/** The validated arguments of a prompt, with defaults. */
function validArguments(
  { name, arguments: declaredArguments }: PromptListing,
  values: Readonly<Record<string, string>>,
) {
  const names = declaredArguments.map((argument) => argument.name);
  const unknown = Object.keys(values).find((one) => !names.includes(one));
  if (unknown !== undefined)
    throw invalid(`${name} has no argument ${JSON.stringify(unknown.slice(0, 80))}; it takes ${names.join(" and ")}.`);
  const entries = declaredArguments.map(({ name: argument, description, choices, form }) => {
    const value = values[argument] || (choices?.[0] ?? "");
    if (choices === undefined && value.trim() === "")
      throw invalid(`${name} needs the argument ${argument}: ${description}.`);
    if (choices && !choices.includes(value)) throw invalid(`${argument} takes ${choices.join(" or ")}.`);
    if (form && value !== "" && !new RegExp(`^(?:${form.pattern})$`).test(value))
      throw invalid(`${argument} takes ${form.takes}, and not ${JSON.stringify(value.slice(0, 80))}.`);
    return [argument, value] as const;
  });
  return Object.fromEntries(entries);
}

/** The text of a prompt: its task, and its numbered steps. */
export function promptText(prompt: Pick<Prompt, "task" | "steps">, args: Readonly<Record<string, string>>): string {
  const known: Readonly<Record<string, string>> = { ...stops, ...args };
  const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? "");
  const steps = prompt.steps.map((step, at) => `${at + 1}. ${filled(step)}`);
  return [filled(prompt.task), "", "Go step by step, and stop to ask if anything is unclear.", ...steps].join("\n");
}

/**
 * A prompt with its arguments filled in.
 * @throws Failure `not_found` for an unknown prompt, `invalid_input` for an invalid argument.
 */
export async function fillPrompt(
  listings: readonly PromptListing[],
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<{ readonly title: string; readonly text: string }> {
  const listing = listings.find((one) => one.name === name);
  const names = listings.map((one) => one.name);
  if (!listing)
    throw new Failure(
      "not_found",
      `There is no prompt ${JSON.stringify(name.slice(0, 80))}${didYouMean(name.slice(0, 80), names)}; there is ${names.join(", ")}.`,
      { next: "List the prompts." },
    );
  const args = validArguments(listing, values);
  const prompt = await promptOf(listing.service);
  if (!prompt) throw new Error("The catalogue names a prompt that its service does not declare.");
  return { title: prompt.title, text: promptText(prompt, args) };
}

/**
 * Completion values for a prompt's argument: its choices, or values from the account.
 * @param valuesOf Reads values from the account.
 */
export async function completePrompt(
  valuesOf: (wanted: LiveValues) => Promise<readonly string[]>,
  listings: readonly PromptListing[],
  name: string,
  argument: string,
  value: string,
): Promise<string[]> {
  const listing = listings.find((one) => one.name === name);
  const known = listing?.arguments.find((one) => one.name === argument);
  if (!listing || !known) return [];
  if (known.choices) return known.choices.filter((choice) => choice.startsWith(value));
  const values = await (await promptOf(listing.service))?.arguments.find((one) => one.name === argument)?.values?.();
  return values ? matchingValues(await valuesOf(values), value) : [];
}
