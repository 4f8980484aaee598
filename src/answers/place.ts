/** The target of a call, which every result names: the upstream, and the profile if there are several. */
import { plainText } from "../rows/row-text.js";

export interface ResultTarget {
  /** Names the upstream: its host, or the emulator. */
  readonly upstream: string;
  /** The profile of the call, if there are several. */
  readonly profile?: string;
}

/** The fields of a result. */
export const targetFields = ({ upstream, profile }: ResultTarget): ResultTarget => ({
  upstream,
  ...(profile === undefined ? {} : { profile }),
});

/** The same in words, from the fields of a result. */
export const targetText = ({ upstream, profile }: Readonly<Record<string, unknown>>): string =>
  profile === undefined ? plainText(upstream) : `profile ${plainText(profile)}, ${plainText(upstream)}`;
