/** The question for a secret at a terminal: nothing of what is typed is shown, and it is asked once. */
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { secretPrompt } from "../../src/commands/at-terminal.js";
import { promise } from "../lab/rules.js";

/** A terminal at which somebody types, and all that it showed. */
function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (chunk) => {
    shown += String(chunk);
  });
  const type = (text: string) => setTimeout(() => input.write(text), 5);
  return { ask: secretPrompt(input, output), type, leave: () => setTimeout(() => input.end(), 5), shown: () => shown };
}

it(promise("prompt-shows-no-secret", "shows the question and nothing of what is typed"), async () => {
  const { ask, type, shown } = terminal();
  type("s3cret-Word\r");
  expect(await ask("newPasswordFile", "newPassword")).toBe("s3cret-Word");
  expect(shown()).toBe("newPassword (not shown, or name a file in newPasswordFile): \n");
});

it("asks once for each secret, however often its call is prepared", async () => {
  const { ask, type, shown } = terminal();
  type("first\r");
  expect(await ask("a", "one")).toBe("first");
  type("second\r");
  expect(await ask("b", "two")).toBe("second");
  expect(await ask("a", "one")).toBe("first");
  expect(shown().match(/not shown/g)).toHaveLength(2);
});

it.each<[string, (at: ReturnType<typeof terminal>) => unknown]>([
  ["nothing is typed", ({ type }) => type("\r")],
  ["the terminal is left", ({ leave }) => leave()],
  ["the question is interrupted", ({ type }) => type("\u0003")],
])("is declined where %s", async (_, act) => {
  const at = terminal();
  act(at);
  await expect(at.ask("newPasswordFile", "newPassword")).rejects.toMatchObject({ code: "declined" });
});
