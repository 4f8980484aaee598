/** Each service of the emulator in raw HTTP, as the scenarios of this folder tell it. */
import { testScenarios } from "../../lab/scenario.js";

testScenarios(new URL(".", import.meta.url));
