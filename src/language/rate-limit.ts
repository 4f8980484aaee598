/** What the vendor publishes about how often an API may be called. */

/** The requests that may be made at once, and how many are added each minute: a token bucket. */
export interface Bucket {
  readonly burst: number;
  readonly perMinute: number;
}

export interface RateLimit {
  /** The API's name in a sentence; the operations of services with the same one are counted together. */
  readonly api: string;
  /** Whether the upstream counts each operation separately. */
  readonly isPerOperation?: true;
  /** Absent if no figures are published; the headers of responses are obeyed in any case. */
  readonly bucket?: Bucket;
  /** The page that publishes it. */
  readonly source: string;
}
