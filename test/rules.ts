/** The ledger of the documents' rules: a test cites the rule it proves, and `test/contract/rules.test.ts` finds the uncited. */
import { it } from "vitest";

/**
 * A test that proves one rule of the documents. `id` is a key of some service's `rules`; the ledger test reads these
 * calls from the sources, so the id has to be a literal.
 */
export function rule(id: string, title: string, body: () => void | Promise<void>): void {
  it(`${title} [${id}]`, body);
}
