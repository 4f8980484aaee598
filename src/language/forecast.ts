/**
 * What a change does to the site. A guard says as data what its call reaches (`ChangeScope`); what is found about that by
 * reading is a `Forecast`, also data. It is context for the person who approves: no approval is bound to it.
 */

/** A fact that could not be found, and why. */
export interface UnknownFact {
  /** A clause that follows "because". */
  readonly unknown: string;
}
export type Forecasted<T> = T | UnknownFact;

export const isUnknown = (fact: unknown): fact is UnknownFact =>
  typeof fact === "object" && fact !== null && "unknown" in fact;

/** What a purge makes cold. */
export interface CacheScope {
  readonly change: "purge";
  readonly network: "production" | "staging";
  readonly objects: {
    readonly kind: "url" | "cpcode" | "tag";
    readonly values: readonly string[];
  };
  /** Whether the objects are fetched again whole, instead of being validated with the origin. */
  readonly isDeletion: boolean;
}

/** What an activation or deactivation puts into effect on a network. */
export interface ActivationScope {
  readonly change: "activation";
  readonly of: "property" | "include" | "policy" | "list";
  readonly id: string;
  /** Absent for a deactivation, and for a list, of which the newest version is activated. */
  readonly version?: number;
  readonly network: "production" | "staging";
  readonly isEnd: boolean;
  /** Arguments of reads that find the object. */
  readonly within?: { readonly contractId?: string; readonly groupId?: string };
}

/** The record sets of a zone that a call changes. */
export interface RecordScope {
  readonly change: "records";
  readonly zone: string;
  readonly sets: readonly ChangedRecordSet[];
  /** How long resolvers may keep that a record does not exist, in seconds; absent if it was not read with the state. */
  readonly absentSeconds?: number;
}

export interface ChangedRecordSet {
  /** Absolute, without the final dot. */
  readonly name: string;
  /** In capitals. */
  readonly type: string;
  readonly isNew: boolean;
  /** The time to live until now, in seconds; absent for a new set, and if it was not read. */
  readonly ttlBefore?: number;
}

/** The deployment of a certificate. */
export interface CertificateScope {
  readonly change: "certificate";
  readonly network: "production" | "staging";
  readonly enrollmentId: string;
  /** Absent for a change that begins with the call. */
  readonly changeId?: string;
  /** The names of the certificate that comes, and its end in milliseconds since 1970; absent if they are unknown. */
  readonly names?: readonly string[];
  readonly endsMs?: number;
}

export type ChangeScope = CacheScope | ActivationScope | RecordScope | CertificateScope;

/** The hostnames that a change reaches. */
export interface ReachedHostnames {
  readonly total: number;
  /** The first of them. */
  readonly names: readonly string[];
  /** Whether they are those of which the report has traffic, so that there may be others without any. */
  readonly isByTraffic?: true;
  /** How many appear, disappear, and are served by other rules, for an activation. */
  readonly added?: number;
  readonly removed?: number;
  readonly changed?: Forecasted<number>;
  /** How many hostnames of the account were not looked at, because it has too many; some of them may be reached, too. */
  readonly unread?: number;
}

/** How much traffic the scope carries, by report. */
export interface CarriedTraffic {
  /** Requests a second at the edge, in the newest hour of complete data. */
  readonly edgeRate: number;
  /** The same in the hour that begins now, a week before. */
  readonly rateLastWeek?: number;
  /** The name of the report. */
  readonly report: string;
  /** The end of the data, in milliseconds since 1970. */
  readonly untilMs: number;
}

/** The extra requests a second at the origin: the highest rate over any five minutes of the first hour. */
export interface OriginLoad extends GreatestLoad {
  readonly from: number;
  readonly upTo: number;
}

/** What the extra requests a second at the origin can never exceed: the edge rate of the scope. */
interface GreatestLoad {
  readonly atMost: number;
}

/** Which hostnames of a change the certificates on the network name. */
export interface CertificateCover {
  readonly covered: number;
  /** How many of them the certificate does not name until it is deployed. */
  readonly added?: number;
  /** Those that none names; for the deployment of a certificate, those that it does not name any more. */
  readonly uncovered: readonly string[];
  /** How many others there are of which that could not be found out. */
  readonly unclear?: UnknownFact & { readonly count: number };
  /** The contract whose certificates were read; absent for those of the account. */
  readonly contractId?: string;
  /** The earliest end of a certificate that covers one of them, in milliseconds since 1970. */
  readonly endsMs?: number;
}

/** What is under way on the same object. */
export interface PendingChange {
  readonly what: string;
  readonly network?: string;
  readonly status: string;
  /** Who began it, or where the API does not say that, who is notified of it. */
  readonly by?: string;
}

/** How many entries of a list appear and disappear on the network. */
export interface ListEntries {
  readonly added: number;
  readonly removed: number;
}

/** How long resolvers may give the old answers, in seconds; the longest time of all sets. */
export interface OldAnswers {
  /** Absent if all sets are new. */
  readonly seconds?: number;
  /** The same for the answer that a new set does not exist; absent if none is new. */
  readonly absentSeconds?: number;
}

/** What was found of a change; a member is absent if it has no meaning for this kind of change. */
export interface Forecast {
  readonly hostnames?: Forecasted<ReachedHostnames>;
  readonly traffic?: Forecasted<CarriedTraffic>;
  readonly originLoad?: OriginLoad | (UnknownFact & Partial<GreatestLoad>);
  readonly certificates?: Forecasted<CertificateCover>;
  readonly pending?: Forecasted<readonly PendingChange[]>;
  readonly entries?: Forecasted<ListEntries>;
  readonly oldAnswers?: Forecasted<OldAnswers>;
  /** How many calls of a batch it leaves out. */
  readonly leftOut?: number;
}
