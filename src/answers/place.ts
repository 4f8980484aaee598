/** Where a call went, which every result says: the upstream, and the profile where there are several. */
import { plain } from "../rows/row-text.js";

export interface Place {
  /** Names the upstream: its host, or the emulator. */
  readonly upstream: string;
  /** The profile that it was called in, where there are several. */
  readonly profile?: string;
}

/** The members of a result. */
export const placeOf = ({ upstream, profile }: Place): Place => ({
  upstream,
  ...(profile === undefined ? {} : { profile }),
});

/** The same in words, from the members of a result. */
export const placeText = ({ upstream, profile }: Readonly<Record<string, unknown>>): string =>
  profile === undefined ? plain(upstream) : `profile ${plain(profile)}, ${plain(upstream)}`;
