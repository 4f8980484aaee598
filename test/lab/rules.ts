/**
 * Two ledgers that tests cite by an id: the documents' rules, of which `test/catalogue/ledgers.test.ts` finds the uncited, and
 * the promises of SECURITY.md, which it holds to the tests in both directions.
 */
import { it } from "vitest";

/**
 * A test that proves one rule of the documents. `id` is a key of some service's `rules`; the ledger test reads these
 * calls from the sources, so the id has to be a literal.
 */
export function rule(id: string, title: string, body: () => void | Promise<void>): void {
  it(`${title} [${id}]`, body);
}

/** The title of a test that holds what SECURITY.md promises under an id, which is a literal as well. */
export const promise = (id: string, title: string): string => `${title} [${id}]`;
