/** The trace of an error for the log names our own files and nothing else: no message, no path of the machine. */
import { expect, it } from "vitest";
import { truncateValue } from "../../src/answers/budget.js";
import { traceError } from "../../src/engine/trace.js";

it("a trace names the class and our own frames, innermost first", () => {
  class SizeFault extends TypeError {}
  const root = {
    get member(): unknown {
      throw new SizeFault("secret at /etc/x");
    },
  };
  try {
    truncateValue(root, 100);
  } catch (error) {
    expect(traceError(error)).toEqual({
      error: "SizeFault",
      frames: [
        expect.stringMatching(/^rows\/size\.[jt]s:\d+:\d+$/),
        expect.stringMatching(/^rows\/size\.[jt]s:\d+:\d+$/),
        expect.stringMatching(/^answers\/budget\.[jt]s:/),
      ],
    });
  }
  expect.assertions(1);
});

const stack = (message: string) =>
  `Error: ${message}\n    at run (/srv/app/a.js:1:2)\n    at async file:///srv/app/in/b.js:3:4\n    at get (/home/user/x.js:5:6)\n    at node:fs:1:1\n    at x (/srv/app/node_modules/y/z.js:1:1)`;

it("a trace has no line of the message, and only the type of a non-error", () => {
  const message = "first\n    at secret (/srv/app/secret.js:1:1)";
  const error = Object.assign(new Error(message), { stack: stack(message) });
  expect(traceError(error, "/srv/app/")).toEqual({ error: "Error", frames: ["a.js:1:2", "in/b.js:3:4"] });
  // A message that was changed later cannot be distinguished from the frames.
  expect(traceError(Object.assign(error, { message: "other" }), "/srv/app/").frames).toEqual([]);
  expect(traceError("secret")).toEqual({ error: "string", frames: [] });
  expect(traceError({ constructor: { name: "a secret" } })).toEqual({ error: "object", frames: [] });
  expect(traceError(null)).toEqual({ error: "object", frames: [] });
});
