/** Shows how far long work is, on one line of a terminal; writes nothing where there is none. */
import { onOneLine } from "../api/marks.js";
import type { Progress } from "../calls/progress.js";
import { cutTo } from "./terminal-table.js";

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

// Back to the start of the line and clear it (ECMA-48: CR, and EL with 2).
const clearLine = "\r\x1b[2K";

/** How far the work is: of a whole that is one, in percent. */
const countOf = (done: number, total: number | undefined): string =>
  total === undefined ? "" : total === 1 ? `[${Math.floor(done * 100)} %] ` : `[${done}/${total}] `;

/** Makes the listener of a call's progress, and what takes its line away again. */
export function terminalProgress(terminal: Terminal): { readonly progress: Progress; clear(): void } {
  if (terminal.isTTY !== true) return { progress: async () => undefined, clear: () => undefined };
  let isShown = false;
  return {
    progress: async (done, message, total) => {
      // A line as long as the terminal is wide would wrap, and then could not be cleared.
      terminal.write(clearLine + cutTo(onOneLine(countOf(done, total) + message), (terminal.columns ?? 80) - 1));
      isShown = true;
    },
    clear: () => {
      if (isShown) terminal.write(clearLine);
      isShown = false;
    },
  };
}
