/** A profile: whose account its calls act on, where, by whose words, and how grave they may be. */
import type { VendorWords } from "../api/vendor-words.js";
import type { Tier } from "../guard/tier.js";

/** Where a credential comes from. */
export type CredentialFrom =
  /** Variables, or a section of the `.edgerc` that the settings name. */
  | { readonly kind: "section"; readonly section: string }
  /** A section of a file, whatever the variables say. */
  | { readonly kind: "file"; readonly edgerc?: string; readonly section: string }
  | {
      readonly kind: "fields";
      readonly host: string;
      readonly clientToken: string;
      readonly clientSecret: string;
      readonly accessToken: string;
      /** Whether other users can read the file that has them. */
      readonly isOpen: boolean;
    }
  /** What a program prints; it is run without a shell. */
  | { readonly kind: "command"; readonly program: string; readonly args: readonly string[] };

export interface Profile {
  readonly name: string;
  readonly credential: CredentialFrom;
  readonly accountSwitchKey?: string | undefined;
  /** The origin that is called instead of the credential's host. */
  readonly baseUrl?: string | undefined;
  readonly vendor?: string | undefined;
  readonly vendorWords?: VendorWords | undefined;
  /** The zone of calls that name none, and of the times that are shown. */
  readonly timeZone?: string | undefined;
  /** The contract and the group of calls that need one and name none, without prefixes. */
  readonly contractId?: string | undefined;
  readonly groupId?: string | undefined;
  /** The gravest tier that its calls may have; any, where it is left out. */
  readonly highestTier?: Tier | undefined;
}
