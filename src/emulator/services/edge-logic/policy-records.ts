/** What the store of policies holds: policies, their versions, and where each was activated. */
import type { z } from "../../../api/z.js";
import type { StoredRule } from "../../../tools/edge-logic/match-rules.js";
import type { Property } from "../properties/world.js";

export type Rule = z.output<typeof StoredRule>;
export type Network = "staging" | "prod";

export interface Version {
  /** Tells this version from every version of any policy. */
  readonly id: number;
  readonly version: number;
  description: string | null;
  rules: readonly Rule[];
  isDeleted: boolean;
  readonly createdBy: string;
  readonly createdAtMs: number;
  modifiedBy: string;
  modifiedAtMs: number;
}
export interface Activation {
  readonly network: Network;
  readonly property: Property;
  readonly version: number;
  readonly atMs: number;
  readonly by: string;
}
export interface Policy {
  readonly policyId: number;
  readonly cloudletId: number;
  name: string;
  description: string | null;
  groupId: number;
  isDeleted: boolean;
  readonly createdBy: string;
  readonly createdAtMs: number;
  modifiedBy: string;
  modifiedAtMs: number;
  /** What was written besides what the declarations name. */
  others?: Readonly<Record<string, unknown>>;
  readonly versions: Version[];
  readonly activations: Activation[];
}
