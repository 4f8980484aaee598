/** `edgewise api GET PATH`: the read of a path, by the tool that covers it, or as it is if none does. */
import type { FinalOutcome } from "../calls/index.js";
import { apisOf, areImportsOffered, type Config, isEmulated } from "../config.js";
import { isLiteral, isQueryName } from "../definitions/let-through.js";
import { effectOfPath, type PathQuery, pathRead, pathReadName, segmentsOf } from "../definitions/path-read.js";
import { loadCatalogue, withImported } from "../engine/catalogue.js";
import { createSurface } from "../engine/create-surface.js";
import { openImported } from "../engine/imported.js";
import { toolOfPath } from "../engine/path-tool.js";
import { isRead } from "../language/effect.js";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { calling, callsIn, naming, sentenceText } from "../language/sentence.js";
import { failureOnLine, makeCall } from "./call.js";
import { type Command, log, refuse } from "./command.js";

const mostCharacters = 2_000;
const howToAsk = "`edgewise api --help` has an example.";

/**
 * The path of a line as it is sent.
 * @throws Failure `bad_configuration` for anything but GET and a path on the host of the credentials.
 */
function pathOf([method = "", text]: readonly string[]): string {
  if (method !== "GET" || text === undefined)
    refuse(
      `api takes GET and a path${method === "" || method === "GET" ? "" : `, not ${quoteValue(method)}`}.`,
      "Write: edgewise api GET PATH. Everything else is a call of a tool; `edgewise search` finds it.",
    );
  const quotedPath = quoteValue(text);
  if (/^\w+:|^\/\//.test(text))
    refuse(
      `PATH takes only a path, and ${quotedPath} names a host.`,
      "Leave out everything before the path: calls go to the host of the credentials.",
    );
  if (text.includes("?"))
    refuse(`PATH takes no query; ${quotedPath} was given.`, "Write --query NAME=VALUE for each of its arguments.");
  if (!text.startsWith("/") || text.length > mostCharacters || !segmentsOf(text).every(isLiteral))
    refuse(
      `PATH takes a path that begins with / and has no empty segment, no . or .., and only letters, digits and _ . ~ @ : ! $ ' ( ) * , ; = + -; ${quotedPath} was given.`,
      "Write it as the documentation of the API does, with the values of its keys.",
    );
  return text;
}

/**
 * The arguments in the query of a line.
 * @throws Failure `bad_configuration` for those that are not sent.
 */
function queryOf(flags: readonly string[]): PathQuery {
  const query: Record<string, readonly string[]> = {};
  for (const word of flags.filter((one) => one.startsWith("--query="))) {
    const [, name = "", value] = /^--query=([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (value === undefined) refuse(`--query takes NAME=VALUE, not ${quoteValue(name)}.`, howToAsk);
    if (!isQueryName(name))
      refuse(
        `--query ${quoteValue(name)} cannot be sent.`,
        "Use another argument, or a tool: `edgewise search` finds them.",
        "It is not the name of an argument, or it could make the call another one, or one in another account.",
      );
    query[name] = [...(query[name] ?? []), value];
  }
  return query;
}

/** Why the API may have nothing at a path that no tool covers. */
const missingAt = (config: Config): string =>
  isEmulated(config)
    ? `The emulator only has what a tool covers${areImportsOffered(config) ? "" : ", and with --imported on the imported operations"}.`
    : "The API has nothing at this path, or the path is not one of its own.";

/** A problem of a tool's argument in the words of a line, on which it is a part of the path or of the query. */
const problemOnLine = (problem: FieldProblem, keys: readonly string[]): FieldProblem => ({
  ...problem,
  field: keys.includes(problem.field) ? `{${problem.field}} in PATH` : `--query ${problem.field}`,
});

/** An outcome with the tool that it is of, and a failure in the words of the line. */
function outcomeOfTool(
  outcome: FinalOutcome,
  path: string,
  { tool, declared: operation, arguments: args }: NonNullable<Awaited<ReturnType<typeof toolOfPath>>["call"]>,
): FinalOutcome {
  const toolNote = naming`GET ${path} is a tool: ${calling({ tool, arguments: args })}.`;
  if (outcome.kind === "answer")
    return {
      ...outcome,
      reply: { ...outcome.reply, notes: [...outcome.reply.notes, sentenceText(toolNote)] },
      names: [...(outcome.names ?? []), ...callsIn(toolNote)],
    };
  if (outcome.kind !== "failure" || outcome.failure.detail.fields === undefined) return outcome;
  const keys = Object.keys(operation.spec.path ?? {});
  const fields = outcome.failure.detail.fields.map((one) => problemOnLine(one, keys));
  return failureOnLine(outcome.failure, tool, fields);
}

export const apiCommand: Command = async (config, words, flags) => {
  const path = pathOf(words);
  const query = queryOf(flags);
  const library = areImportsOffered(config) ? openImported(config)?.library : undefined;
  const declared = loadCatalogue(apisOf(config).apis);
  const catalogue = library ? withImported(declared, library) : declared;
  const { service = "api", call } = await toolOfPath(path, query, config.values.vendor, { catalogue, library });
  const isChange = call ? !isRead(call.declared) : effectOfPath(path, query) !== "read";
  if (isChange)
    refuse(
      `GET ${path} is not a read${call ? `: it is ${call.tool}` : ""}.`,
      call ? `\`edgewise call ${call.tool} --help\` describes it.` : "Use a tool for it: `edgewise search` finds them.",
      call ? undefined : "By the words of its path or its query it changes something.",
    );
  if (!call && config.values.imported === "off")
    refuse(`No tool covers GET ${path}.`, "Leave --imported off out to read it all the same.");
  const asItIs = pathRead(service, path, query, missingAt(config));
  const surface = await createSurface(config, log, call ? undefined : asItIs.tool);
  return makeCall(config, surface, {
    tool: call?.tool ?? pathReadName,
    flags,
    readArguments: async () => (call ?? asItIs).arguments,
    inWords: async (outcome) => (call ? outcomeOfTool(outcome, path, call) : outcome),
  });
};
