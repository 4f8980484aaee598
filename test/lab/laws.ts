/** Laws over many declarations: a law is one test, and its failure lists all offenders. */
import { expect, it } from "vitest";

type Values<R> = R extends readonly unknown[] ? R : [R];

const valuesOf = <R>(row: R): Values<R> => (Array.isArray(row) ? row : [row]) as Values<R>;

/** What a failure calls a row: its first value, or the first text in it. */
function nameOf([first]: readonly unknown[]): string {
  if (typeof first !== "object" || first === null) return String(first);
  return Object.values(first).find((value) => typeof value === "string") ?? JSON.stringify(first).slice(0, 80);
}

/**
 * Checks each row, and fails once with the first line of each failure.
 * @param rows At least one; a list is passed as several values, and its first one is what the failure calls it.
 * @param check Throws where the law does not hold; it is called with the values of a row, one row after the other.
 */
export async function holdsForEach<R>(rows: Iterable<R>, check: (...values: Values<R>) => unknown): Promise<void> {
  const offenders: string[] = [];
  let count = 0;
  for (const row of rows) {
    const values = valuesOf(row);
    count += 1;
    try {
      await check(...values);
    } catch (error) {
      offenders.push(`${nameOf(values)}: ${error instanceof Error ? error.message : JSON.stringify(error)}`);
    }
  }
  expect(count).toBeGreaterThan(0);
  expect(offenders).toEqual([]);
}

type Law = (title: string, check: () => unknown) => void;

/**
 * Declares several laws over the same rows, each a test of its own.
 * @param declare Called for each row when the tests are collected; the laws that it declares have the same titles for all
 * rows, and a row may lack some of them.
 */
export function lawsOver<R>(rows: Iterable<R>, declare: (law: Law, ...values: Values<R>) => void): void {
  const checks = new Map<string, [name: string, check: () => unknown][]>();
  for (const row of rows) {
    const values = valuesOf(row);
    const law: Law = (title, check) => {
      const known = checks.get(title);
      if (known) known.push([nameOf(values), check]);
      else checks.set(title, [[nameOf(values), check]]);
    };
    declare(law, ...values);
  }
  for (const [title, all] of checks) it(title, () => holdsForEach(all, (_, check) => check()));
}
