/** What the store of policies holds: policies, their versions, and where each was activated. */
import type { z } from "../../../language/z.js";
import type { StoredRule } from "../../../tools/edge-logic/match-rules.js";
import type { Authored } from "../authorship.js";
import type { Property } from "../properties/world.js";

export type Rule = z.output<typeof StoredRule>;
export type Network = "staging" | "prod";

export interface Version extends Authored {
  /** Tells this version from every version of any policy. */
  readonly id: number;
  readonly version: number;
  description: string | null;
  rules: readonly Rule[];
  isDeleted: boolean;
}
export interface Activation {
  readonly network: Network;
  readonly property: Property;
  readonly version: number;
  readonly atMs: number;
  readonly by: string;
}
export interface Policy extends Authored {
  readonly policyId: number;
  readonly cloudletId: number;
  name: string;
  description: string | null;
  groupId: number;
  isDeleted: boolean;
  /** What was written besides what the declarations name. */
  others?: Readonly<Record<string, unknown>>;
  readonly versions: Version[];
  readonly activations: Activation[];
}
