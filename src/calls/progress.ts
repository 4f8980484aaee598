/** How work that takes a while tells how far it is. */

/**
 * Tells one step; `done` grows from call to call, and `total` is left out where nobody knows it. Never throws: work goes
 * on when nobody listens.
 */
export type Progress = (done: number, message: string, total?: number) => Promise<void>;
