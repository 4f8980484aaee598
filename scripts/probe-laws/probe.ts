/** What a probe of a law is: the law, and a small breakage of the sources that has to turn it red. */

/** One law and what breaks it; the edit is made in a copy of the project. */
export interface Probe {
  /** The file of the test; one that ends in `.test-d.ts` is held by the compiler. */
  readonly law: string;
  /** Matches the whole title of the test that has to fail, or the comment above the line that no longer compiles. */
  readonly fails: RegExp;
  /** The file that is broken. */
  readonly file: string;
  /** What stands in it exactly once. */
  readonly text: string;
  /** What stands there instead. */
  readonly becomes: string;
}
