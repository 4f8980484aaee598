/** Normalization of words: stop words are removed, and the others stemmed. */

const stopWords = new Set(
  (
    "a an the this that these those there here it its is are was were be been being am i me my we our us you your they them " +
    "their he she his her to of in on at by for from with into onto about as and or but if then than so do does did done has " +
    "have had can could would should will shall may might must please want need needs like just also some any each " +
    "let lets get gets got tell give show see look how what when which where whose s t re ve ll d m don doesn isn " +
    "aren didn won cannot www com http https example see find check know view look read review verify inspect glance gimme " +
    "ve one single particular specific still yet already only both other off up out own because since while before after until " +
    "been having go goes going come coming again really ever never thing things stuff something someone somebody anything " +
    "everything here over under at through way it"
  ).split(" "),
);

// Words with several spellings are compared as one.
const spellings = new Map(
  Object.entries({
    certs: "certificate",
    cert: "certificate",
    certificates: "certificate",
    config: "configuration",
    configs: "configuration",
    configured: "configuration",
    configure: "configuration",
    prod: "production",
    mail: "email",
    mails: "email",
    ips: "ip",
    cps: "certificate",
    "2fa": "tfa",
    mfa: "tfa",
    auth: "authentication",
    perms: "permission",
    infos: "information",
    info: "information",
    expiry: "expire",
    expiration: "expire",
    expires: "expire",
    people: "person",
    ids: "id",
    ttls: "ttl",
    pw: "password",
    pwd: "password",
    passwd: "password",
    acct: "account",
    accts: "account",
    addr: "address",
    cfg: "configuration",
    cfgs: "configuration",
    conf: "configuration",
    cred: "credential",
    creds: "credential",
    freq: "frequency",
    hdrs: "header",
    img: "image",
    imgs: "image",
    pic: "picture",
    pics: "picture",
    msg: "message",
    num: "number",
    orgs: "organization",
    org: "organization",
    req: "request",
    reqs: "request",
    stats: "statistic",
    stg: "staging",
    tmp: "temporary",
    temp: "temporary",
    ver: "version",
    vers: "version",
    vid: "video",
    vids: "video",
    centre: "center",
    centres: "center",
    datacentre: "datacenter",
    datacentres: "datacenter",
    organisation: "organization",
    organisations: "organization",
    authorise: "authorize",
    authorisation: "authorization",
    optimisation: "optimization",
    catalog: "catalogue",
    cancelled: "cancel",
    cancelling: "cancel",
    programme: "program",
    behaviour: "behavior",
    behaviours: "behavior",
    enrolment: "enrollment",
    enrolments: "enrollment",
    dc: "datacenter",
    dcs: "datacenter",
    ehn: "hostname",
    ctr: "contract",
    grp: "group",
    prd: "product",
    cpc: "cpcode",
    prp: "property",
    atv: "activation",
  }),
);

// Words with a different meaning than their verb: a recording is not a DNS record.
const ownWords = new Set(["streaming", "recording", "reporting"]);

const vowel = /[aeiouy]/;
/**
 * Without a doubled last consonant, as in "stopped", and without a silent last vowel, as in "cache" versus "caching".
 */
const bare = (stem: string): string => stem.replace(/([bdfgkmnprtvz])\1$/, "$1").replace(/(?<=..)[ei]$/, "");

// The suffixes of English words, longest first, and their replacements.
const endings: readonly (readonly [RegExp, string])[] = [
  [/(?<=....)ations?$/, ""],
  [/(?<=....)at(e|es|ed|ing)$/, ""],
  [/(?<=...[st])ions?$/, ""],
  [/(?<=....)ments?$/, ""],
  [/(?<=...)ies$/, "y"],
  [/(?<=ss|sh|ch|x|z)es$/, ""],
  [/(?<=..[^sui])s$/, ""],
];

/** A stemmed word; words of up to three letters, and those with digits, stay unchanged. */
function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const ended = endings.find(([ending]) => ending.test(word));
  const singular = ended ? word.replace(ended[0], ended[1]) : word;
  if (ownWords.has(singular)) return singular;
  const [, root] = /^(.{3,})(?:ing|ed)$/.exec(singular) ?? [];
  return bare(root !== undefined && vowel.test(root) ? root : singular);
}

/** The words of a text in lower case; names in camel case are split. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .replaceAll(/['’]s\b/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** A word in its basic form, also a stop word. */
export const stemOf = (word: string): string => stem(spellings.get(word) ?? word);

/** A normalized word; undefined for a stop word. */
export const termOf = (word: string): string | undefined => (stopWords.has(word) ? undefined : stemOf(word));

/** The terms of a text, in order. */
export const termsOf = (text: string): string[] => wordsOf(text).flatMap((word) => termOf(word) ?? []);
