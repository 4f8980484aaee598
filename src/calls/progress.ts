/** How a long-running call reports progress. */

/**
 * Reports one step; `done` grows from call to call, and `total` is left out when it is not known. Never throws: the work
 * continues without a listener.
 */
export type Progress = (done: number, message: string, total?: number) => Promise<void>;
