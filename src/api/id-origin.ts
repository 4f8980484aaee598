/** How a service declares where the ids that its operations take come from. */

/** The tool whose answer has an id, or where users find it who know it without a tool. */
export type IdOrigin = string | { readonly given: string };

/**
 * The origins of ids that no path and no launch of the service shows: by the name of the argument or of the member of a
 * body, or by its whole path where the name alone stands for several things.
 */
export type IdOrigins = Readonly<Record<string, IdOrigin>>;
