/** The baseline of HTTP throughput with an upstream. */
import { build } from "./sdk-floor.mjs";
import { serve } from "./sdk-serve.mjs";

serve(build);
