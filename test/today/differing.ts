/** Where a declaration of today differs from the vendor's definition, each difference with the reason in a comment. */
export const differing: Readonly<Record<string, readonly string[]>> = {};
