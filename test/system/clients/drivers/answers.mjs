/** What the drivers hand back, in one form, whatever a client makes of it. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @typedef {{ shown: string, isError: boolean }} Shown What a caller of the client is shown by a call.
 * @typedef {{ kind: "stdio", command: string, args: string[], env: Record<string, string> }} Stdio
 * @typedef {{ kind: "http", url: string, token: string }} Http
 * @typedef {(form: { properties: Record<string, { type?: string, description?: string }> }) => object} Ask
 * @typedef {{ reason: string, seen: string }} Absent A function that the client does not have, and where that was seen.
 * @typedef {object} Session
 * @property {() => Promise<string[]>} list The names of all tools.
 * @property {(name: string, args: object) => Promise<Shown>} call
 * @property {((uri: string) => Promise<string>) | Absent} read
 * @property {((name: string, args: Record<string, string>) => Promise<string>) | Absent} prompt
 * @property {((uri: string, argument: string, value: string) => Promise<string[]>) | Absent} complete
 * @property {Absent} [ask] Only where the client has no way for a server to ask its user.
 * @property {() => Promise<void>} close
 */

/** The result of a call as the protocol has it: the text where there is one, since that is what most clients show. */
export function shown({ content = [], structuredContent, isError = false }) {
  const text = content.map((part) => part.text ?? "").join("\n");
  return { shown: text === "" ? JSON.stringify(structuredContent) : text, isError };
}

export const contents = ({ contents: parts }) => parts.map(({ text }) => text).join("\n");
export const messages = ({ messages: parts }) => parts.map(({ content }) => content.text).join("\n");
export const template = (uri, name, value) => ({ ref: { type: "ref/resource", uri }, argument: { name, value } });

/** The names of the methods that an object offers, its own and those of its classes. */
function methodsOf(object) {
  const names = new Set();
  for (let at = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
}

function absent(kind, where, found, reason, pattern) {
  if (found.length > 0)
    throw new Error(`${where} was said to lack ${pattern} and has it: ${found.slice(0, 3).join(", ")}`);
  return { reason, seen: `no ${kind} of ${where} matches ${pattern}` };
}

/** Proves that no method of an object has a name that matches. */
export const noMethod = (object, where, pattern, reason) =>
  absent(
    "method",
    where,
    methodsOf(object).filter((name) => pattern.test(name)),
    reason,
    pattern,
  );

/** Proves that no module that a package ships matches. */
export function noSource(entry, where, pattern, reason) {
  const folder = dirname(new URL(entry).pathname);
  const modules = readdirSync(folder, { recursive: true }).filter((name) => /\.m?js$/.test(name));
  const found = modules.filter((name) => pattern.test(readFileSync(join(folder, name), "utf8")));
  return absent("module", where, found, reason, pattern);
}

/** Proves that no line of a command's help matches. */
export const noHelp = (help, where, pattern, reason) =>
  absent(
    "line",
    where,
    help.split("\n").filter((line) => pattern.test(line)),
    reason,
    pattern,
  );
