/** Where the emulator's answers, and the vendor's own examples, differ from the vendor's definitions, each with its reason. */
import { paragraphsOf } from "../lab/tables.js";

/** Of answers: where the emulator's differ, in any test; `answers.today.test.ts` meets each of them. */
export const answersDiffering = paragraphsOf("oracles/answers-differing.txt").map(
  ({ lines: [at = "", ...differs] }) => ({
    /** The routes with their statuses. */
    at: new RegExp(at),
    /** Each the place in the body, and how it differs there. */
    differs,
  }),
);

const misfits = paragraphsOf("oracles/examples-misfitting.txt").flatMap(({ lines }) =>
  lines.map((line) => line.split("\t") as [route: string, misfit: string]),
);
/** Of the vendor's examples: what `examples.test.ts` finds, by route. */
export const misfittingExamples = Object.fromEntries(
  misfits.map(([route]) => [route, misfits.flatMap(([other, misfit]) => (other === route ? [misfit] : []))]),
);
