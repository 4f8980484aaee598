/** Routes, by which operations of definitions and declarations are compared. */

/** A route without the names of its keys and the slash at its end. */
export const plainRoute = (route: string): string => route.replaceAll(/\{\w+\}/g, "{}").replace(/\/$/, "");
