/** The rate limit that all APIs under /papi share. */
import type { RateLimit } from "../../language/rate-limit.js";

export const propertyManagerLimit: RateLimit = {
  api: "Property Manager",
  bucket: { burst: 1_000, perMinute: 100 },
  source: "https://techdocs.akamai.com/property-mgr/reference/rate-and-resource-limiting",
};
