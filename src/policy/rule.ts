/** A policy as it is used: rules, quotas and lists of destinations, and the policy that holds where no file says another. */
import type { Tier } from "../language/tier.js";
import type { Window } from "./window.js";

export type RuleEffect = "allow" | "deny" | "approve";

/** A rule: it matches a call when each of its lists matches, and a list that is left out matches every call. */
export interface Rule {
  readonly id: string;
  readonly effect: RuleEffect;
  /** Why the rule is there, in the words of whoever wrote it. */
  readonly because?: string | undefined;
  /** Patterns of tools' names. */
  readonly tools?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
  readonly tiers?: readonly Tier[] | undefined;
  /** Patterns of profiles, or of sections of the credentials file where none is configured. */
  readonly profiles?: readonly string[] | undefined;
  readonly networks?: readonly string[] | undefined;
  /** Patterns of the things that a call names. */
  readonly objects?: readonly string[] | undefined;
  readonly during?: readonly Window[] | undefined;
}

export interface Quota {
  readonly id: string;
  /** Patterns of tools' names. */
  readonly tools: readonly string[];
  readonly counts: "objects" | "calls" | "requests";
  readonly per: "hour" | "day" | "parallel";
  readonly max: number;
}

export interface Policy {
  readonly rules: readonly Rule[];
  readonly quotas: readonly Quota[];
  /** Patterns of the destinations that are allowed; a list that is left out allows all. */
  readonly egress: {
    readonly emails?: readonly string[] | undefined;
    readonly hosts?: readonly string[] | undefined;
  };
  /** The SHA-256 of the file, for the audit; undefined where there is no file. */
  readonly hash: string | undefined;
}

/** The policy where there is no file: reads and writes go through, everything else is approved. */
export const noPolicy: Policy = { rules: [], quotas: [], egress: {}, hash: undefined };

/** Whether a policy allows anything guarded without an approval, which is what going without approvals needs. */
export const allowsWithoutApproval = ({ rules }: Policy): boolean =>
  rules.some(
    ({ effect, tiers }) =>
      effect === "allow" && (tiers === undefined || tiers.some((tier) => tier === "guarded" || tier === "critical")),
  );
