/** The answers that most behaviours give, by the status that they have. */

type Headers = Readonly<Record<string, string>>;

/** 200 with a body. */
export const ok = <B>(body: B, headers?: Headers) => ({ status: 200, body, ...(headers && { headers }) }) as const;

/** 201 with a body, or without one where the location says it all. */
export const created = <B>(body: B, headers?: Headers) => ({ status: 201, body, ...(headers && { headers }) }) as const;

/** 204, which has no body. */
export const noContent = (headers?: Headers) =>
  ({ status: 204, body: undefined, ...(headers && { headers }) }) as const;
