/** The bound of a list that is read page after page. */
import type { Paging } from "./conduct.js";

const usualMost = 5_000;

/** The most records that `allPages` reads. */
export const mostRecords = ({ most = usualMost }: Paging): number => most;
