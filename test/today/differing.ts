/** Where today's declarations and the emulator's answers differ from the vendor's definitions, each with its reason. */

/** Of declarations: what `definitions.test.ts` finds, by tool. */
export const differing: Readonly<Record<string, readonly string[]>> = {};

/** Of answers: what `answers.test.ts` finds, by tool. */
export const answersDiffering: Readonly<Record<string, readonly string[]>> = {};

/** Of the vendor's examples: what `examples.test.ts` finds, by route. */
export const misfittingExamples: Readonly<Record<string, readonly string[]>> = {};
