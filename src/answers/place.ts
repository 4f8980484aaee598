/** The target of a call, which every result names: the upstream, and the profile if there are several. */
import { plain } from "../rows/row-text.js";

export interface Place {
  /** Names the upstream: its host, or the emulator. */
  readonly upstream: string;
  /** The profile of the call, if there are several. */
  readonly profile?: string;
}

/** The fields of a result. */
export const placeOf = ({ upstream, profile }: Place): Place => ({
  upstream,
  ...(profile === undefined ? {} : { profile }),
});

/** The same in words, from the fields of a result. */
export const placeText = ({ upstream, profile }: Readonly<Record<string, unknown>>): string =>
  profile === undefined ? plain(upstream) : `profile ${plain(profile)}, ${plain(upstream)}`;
