/** The tiers of a call, by what it can do: what none has to approve, what a person should, and what they must spell out. */
export type Tier = "read" | "write" | "guarded" | "critical";
