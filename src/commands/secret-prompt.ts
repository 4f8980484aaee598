/** Asks for a secret at a terminal, without echo and once for each name, however often a call is prepared. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Failure } from "../api/failure.js";

/** Swallows what readline would echo. */
const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** What is typed, in a line that nothing shows; an empty text when the person leaves. */
async function typedAt(input: NodeJS.ReadableStream): Promise<string> {
  const terminal = createInterface({ input, output: silent(), terminal: true, historySize: 0 });
  const left = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    return await Promise.race([terminal.question(""), left]);
  } finally {
    terminal.close();
  }
}

/**
 * Makes the question for secrets.
 * @param prompt Where the question is written; what is typed never is.
 * @throws Failure `declined`, from the question, when nothing was typed.
 */
export function secretPrompt(
  input: NodeJS.ReadableStream,
  prompt: NodeJS.WritableStream,
): (argument: string, member: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  const ask = async (argument: string, member: string): Promise<string> => {
    prompt.write(`${member} (not shown, or name a file in ${argument}): `);
    const typed = await typedAt(input);
    prompt.write("\n");
    if (typed !== "") return typed;
    throw new Failure("declined", `Nothing was typed for ${member}.`, {
      why: "The call needs it. Nothing was sent.",
      next: `Make the call again and type it, or name a file that holds it in ${argument}.`,
    });
  };
  return (argument, member) => {
    const found = known.get(argument) ?? ask(argument, member);
    known.set(argument, found);
    return found;
  };
}
