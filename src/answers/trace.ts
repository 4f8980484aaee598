/** The trace of a fault inside: the class of the error and where in our own program it came from, and never its message. */

/** The last part of a path, where a stack frame names a file of ours; the line and the column follow it. */
const frame = /(?:^|[\s(/\\])([\w.-]+\.(?:js|ts|cjs|mjs)):(\d+):(\d+)\)?$/;
const isForeign = (line: string): boolean => /node:|[/\\]node_modules[/\\]/.test(line);
const maxFrames = 6;

/** An error's class and our own stack frames, on one line. A message can hold a secret, and a path the machine's user. */
export function tracedError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const lines = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line) && !isForeign(line));
  const frames = lines.flatMap((line) => {
    const [, file, row, column] = frame.exec(line) ?? [];
    return file === undefined ? [] : [`${file}:${row}:${column}`];
  });
  const at = frames.slice(0, maxFrames).join(" < ");
  return `${error.constructor.name}${at === "" ? "" : ` at ${at}`}`;
}
