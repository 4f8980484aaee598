/** Countries by their ISO 3166-1 alpha-2 codes, and the code that a name or another code most likely means. */
import { nearest } from "../language/nearest.js";
import { z } from "../language/z.js";

// The officially assigned codes. Intl knows more of them than ISO does, such as EU and XK, and has no way to list only the assigned ones.
const codes = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO " +
    "JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR " +
    "MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO " +
    "RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV " +
    "TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** The English names in lower case and their codes. */
function names(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames("en", { type: "region" });
  return new Map([...codes].map((code) => [(english.of(code) ?? code).toLowerCase(), code]));
}

/** What a country's code is, with the one that was most likely meant. */
function codeText(given: string): string {
  const what = "an ISO 3166-1 alpha-2 country code such as DE or JP";
  const known = names();
  // Intl gives an old or unofficial code, such as UK, the name of the country that it stands for.
  const named = /^[a-z]{2}$/i.test(given)
    ? new Intl.DisplayNames("en", { type: "region" }).of(given.toUpperCase())
    : given;
  const upper = given.toUpperCase();
  const code = codes.has(upper) ? upper : known.get((named ?? given).trim().toLowerCase());
  if (code !== undefined) return `${what}: use "${code}"`;
  const name = nearest(given, known.keys());
  return name === undefined ? what : `${what}; did you mean "${known.get(name)}"?`;
}

/** An ISO 3166-1 alpha-2 code; the refusal of anything else suggests one. */
export const CountryCode = z
  .string()
  .refine((text) => codes.has(text), { error: ({ input }) => codeText(String(input)) });
