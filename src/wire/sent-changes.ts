/** The changes that a client has sent, so that what was read before them is known to be old. */

/** A change that was sent, whatever became of it. */
export interface SentChange {
  /** The API, by the first word of its paths. */
  readonly api: string;
  /** The arguments in the path of the request, which name what it changes. */
  readonly path: Readonly<Record<string, string>>;
  /** When its response had come, or it was given up. */
  readonly endedAtMs: number;
}

const maxKept = 500;

/** The latest changes of a client. */
export class SentChanges {
  readonly #changes: SentChange[] = [];
  /** When the last change ended that is no longer kept. */
  #forgottenMs = Number.NEGATIVE_INFINITY;

  add(change: SentChange): void {
    this.#changes.push(change);
    if (this.#changes.length > maxKept) this.#forgottenMs = this.#changes.shift()?.endedAtMs ?? this.#forgottenMs;
  }

  /** The changes that ended at an instant or later; undefined if some of them are no longer kept. */
  since(ms: number): readonly SentChange[] | undefined {
    return ms <= this.#forgottenMs ? undefined : this.#changes.filter(({ endedAtMs }) => endedAtMs >= ms);
  }
}
