/** The log of an internal error: its class and its location in this program, but never its message. */
import { fileURLToPath } from "node:url";

export interface TracedError {
  /** The error's class, or the type of the thrown value. */
  readonly error: string;
  /** The frames within this program, innermost first: `answers/budget.js:12:5`. */
  readonly frames: readonly string[];
}

const maxFrames = 20;
// The folder above this file's: of the sources in development, of the built program otherwise.
const programFolder = fileURLToPath(new URL("..", import.meta.url));

function classOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return typeof error;
  const name: unknown = error.constructor?.name;
  // A name that is not an identifier is not a class name.
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,59}$/.test(name) ? name : "object";
}

/**
 * The loggable parts of an error that is not a `Failure`. Its message can contain secrets and the stack has local
 * paths, so only our own files are named, relative to the program's folder.
 * @param folder The program's folder, with a separator at its end.
 */
export function traceError(error: unknown, folder: string = programFolder): TracedError {
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  const message = error instanceof Error ? String(error.message) : "";
  // The message comes first, and its lines could look like frames.
  const start = stack.indexOf(message);
  const messageEnd = start < 0 ? stack.length : start + message.length;
  const frames = stack
    .slice(messageEnd)
    .split("\n")
    .flatMap((line) => {
      const place = /^ {4}at (?:async )?(?:.*\()?(?:file:\/\/)?((?:\/|[A-Za-z]:|program\/)[^()]*):(\d+):(\d+)\)?$/.exec(
        line,
      );
      const [, file = "", row, column] = place ?? [];
      // The built program uses relative names already.
      const name = file.startsWith("program/") ? file : file.startsWith(folder) ? file.slice(folder.length) : "";
      return /^[\w./-]+$/.test(name) && !name.includes("node_modules") ? [`${name}:${row}:${column}`] : [];
    });
  return { error: classOf(error), frames: frames.slice(0, maxFrames) };
}
