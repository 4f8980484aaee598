/** A test runner that opens no further test file once a test has failed. */
import { TestRunner } from "vitest";

/** Vitest skips the remaining tests after a failure, but would still load their files, which takes longer than the tests. */
export default class StopAtFailure extends TestRunner {
  #hasEnded = false;

  override cancel(...reason: Parameters<TestRunner["cancel"]>): void {
    this.#hasEnded = true;
    super.cancel(...reason);
  }

  override async importFile(...file: Parameters<TestRunner["importFile"]>): Promise<unknown> {
    return this.#hasEnded ? undefined : super.importFile(...file);
  }
}
