/** The members of an answer that is one object, where a view asks for fields and nothing else. */
import { isRecord } from "../../language/member.js";
import type { Row } from "../index.js";
import { namesIn, type View } from "./schema.js";
import { readerOf } from "./scope.js";
import { type Viewed, viewed } from "./viewed.js";

/** Whether a view is of the members of an object, and not of the rows that it has as well. */
export function isOfObject(body: Row, view: View, rows: readonly Row[] | undefined): boolean {
  const { fields, time_zone: _, ...others } = view;
  if (fields === undefined || Object.values(others).some((one) => one !== undefined)) return false;
  return (
    namesIn(fields).every((name) => readerOf(name)(body) !== undefined) || !rows || "problems" in viewed(rows, view)
  );
}

/**
 * An answer as one row, as a view of fields shows it; undefined where the view is of its rows. Its own members come first:
 * an object often has lists inside, whose rows have an id and a name as well.
 */
export function objectViewed(body: unknown, view: View, rows: readonly Row[] | undefined): Viewed | undefined {
  if (!isRecord(body) || !isOfObject(body, view, rows)) return undefined;
  const result = viewed([body], view);
  return rows && "problems" in result ? undefined : result;
}
