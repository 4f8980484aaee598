/** Whatever the upstream answers: a result is inside its budget, valid, and says that it was cut. */
import { expect, it } from "vitest";
import { holdsForEach } from "../../lab/laws.js";
import { ofGuards, ofMedia, ofWorkflows, startLarge } from "./answers.js";

// Each mechanism once; the system lane has all operations, and answers of ten megabytes.
const large = startLarge();
const bytes = 150_000;

it("an answer of 150 KB is cut to the budget of a result", async () => {
  expect(ofMedia.length).toBeGreaterThan(4);
  await holdsForEach(ofMedia, large.answering(bytes));
});

it("a workflow that reads answers of 150 KB keeps to the budget", () =>
  holdsForEach(
    ofWorkflows.filter(([tool]) => tool !== "result_query"),
    large.composing(bytes),
  ));

it("a preview of a state of 150 KB keeps to the budget", () => holdsForEach(ofGuards, large.guarding(bytes)));
