/** The headers of an operation that carry arguments. */
import type { AnyOperation } from "./define.js";
import type { Header } from "./media.js";
import { onceFor } from "./once-for.js";

/** The headers whose value is an argument: header name to its declaration. */
export const headerArguments = onceFor(
  (operation: AnyOperation): readonly (readonly [string, Exclude<Header, string>])[] => {
    const headers = Object.entries(operation.spec.headers ?? {});
    return headers.filter((entry): entry is [string, Exclude<Header, string>] => typeof entry[1] !== "string");
  },
);
