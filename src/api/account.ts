/** Whose account calls act on: one value that plans and kept results are bound to. */

export interface Account {
  /** The section of the credentials file, or that it is the emulator's. */
  readonly section: string;
  readonly host: string;
  readonly switchKey?: string;
  readonly isEmulated: boolean;
}

/** The account as a key: equal for the same account alone. */
export const accountKey = ({ section, host, switchKey = "", isEmulated }: Account): string =>
  JSON.stringify([section, host, switchKey, isEmulated]);

/** The account as the user knows it. */
export function accountText({ section, host, switchKey, isEmulated }: Account): string {
  const place = isEmulated ? "the emulator" : `${host}, section ${section}`;
  return switchKey === undefined ? place : `${place}, account ${switchKey}`;
}
