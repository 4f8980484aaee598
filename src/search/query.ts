/** Query analysis: its terms, each with alternatives, and their weights. */
import leven from "leven";
import { stemOf, termOf, termsOf, wordsOf } from "./terms.js";

/** What values in a query look like, and the words that they represent. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/\S+/gi, "url"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?\b/g, "ip address"],
  [/#?\b\d+\.[0-9a-f]+\.\d{6,}\.[0-9a-f]+\b/gi, "reference code error"],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+\b/g, "email user"],
  [/(?<![\w-])([\w-]+)\.(html?|css|js|json|xml|png|jpe?g|gif|svg|webp|pdf|mp4|zip|csv)\b/gi, "$1 $2 file"],
  [/(?<![\w.-])\.*(?:[\w-]+\.)+[a-z]{2,}\b/gi, "domain"],
  [/\b(ehn|ctr|grp|prd|cpc|prp|atv)_\w*/gi, "$1"],
  [
    /\b(?:in|from|near|around|via) (?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b)[A-Z][a-z]+\b/g,
    "location",
  ],
];

/** Two words that mean something else together, in their basic forms, and the words that they represent. */
const pairs = new Map(
  Object.entries({
    "spin up": "create",
    "stand up": "create",
    "set up": "create",
    "tear down": "delete stop",
    "shut down": "delete stop",
    "get rid": "delete",
    "turn off": "disable stop",
    "switch off": "disable stop",
    "turn on": "activate enable",
    "switch on": "activate enable",
    "go live": "activate",
    "put live": "activate",
    "make live": "activate",
    "take effect": "activate live",
    "roll back": "rollback previous activate",
    "roll out": "activate rollout",
    "sign off": "approve",
    "cook up": "create",
    "dns shield": "threat protection",
    "dns protection": "threat protection",
    "dns firewall": "threat protection",
    "dns filter": "threat protection",
    "edge app": "cloudlet application",
    "v1 alert": "classic portal alert",
    "v1 alarm": "classic portal alert",
    "kick off": "launch background",
    "kick out": "lock delete user",
    "hook up": "link assign",
    "sign in": "login",
    "log in": "login",
    "drill down": "drill detail",
    "cp code": "cpcode cp code",
    "web address": "url",
    "two factor": "tfa",
    "two step": "tfa",
    "about me": "own myself profile",
    "my own": "own myself",
    "my password": "own myself password",
    "my profile": "own myself profile",
    "my login": "own myself login",
    "my phone": "own myself phone",
    "my notification": "own myself notification",
    "my email": "own myself email",
    "my tfa": "own myself tfa",
    "who can": "who right",
    "who may": "who right",
    "who am": "own myself profile",
    "data center": "datacenter data center",
  }).map(([pair, words]) => [pair.split(" ").map(stemOf).join(" "), wordsOf(words)] as const),
);

/** Words with the pairs among them replaced. */
const withoutPairs = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    const together = (first: string, second = "") => pairs.get(`${stemOf(first)} ${stemOf(second)}`);
    if (at > 0 && together(words[at - 1] ?? "", word)) return [];
    return together(word, words[at + 1]) ?? (/^v\d+$/.test(word) ? "version" : word);
  });
/** Groups of words with similar meaning; a query with one of them also finds the others, with less weight. */
const synonyms: readonly string[] = (
  "delete remove erase drop trash scrap discard kill retire decommission nuke unregister; " +
  "create add new make build onboard register introduce; " +
  "change edit modify update alter adjust tweak set correct fix; replace overwrite swap substitute; " +
  "activate deploy publish launch push live rollout ship release; deactivate disable undeploy offline; " +
  "list all every overview inventory enumerate; details detail settings describe inspect view read open; " +
  "copy clone duplicate; pause suspend hold halt; resume continue unpause restart; " +
  "cancel abort stop revert recall; history log past previous earlier older versions audit; " +
  "status progress ready finished poll done complete through; result outcome output answer; " +
  "background asynchronous async launch queue start; " +
  "cache cached purge flush clear invalidate bust evict stale refresh wipe; certificate ssl tls https; " +
  "domain hostname site website host; site property website configuration; " +
  "user account person employee colleague coworker staff teammate login member; " +
  "access permission right role grant privilege; lock block suspend ban freeze; password passcode passphrase; " +
  "credential key secret token apikey; traffic hits requests bandwidth visits volume; " +
  "bill billing invoice cost usage charge pay; alert alarm notification warning monitor; " +
  "firing triggered fired raised; threshold limit sensitivity; " +
  "error failure fail broken 404 403 500 502 503 504 5xx 4xx; location city country region place; address ip; " +
  "traceroute mtr route hops trace latency; dig dns lookup resolve resolution nslookup; " +
  "curl fetch request download load; visitor customer user client shopper; waiting queue room line; " +
  "redirect rewrite forward; split weight share percent percentage ratio; datacenter data center; " +
  "balancer balancing alb lb; malware phishing threat malicious botnet virus; " +
  "list blocklist blacklist denylist allowlist whitelist; office branch site location; " +
  "honeypot sinkhole decoy; stream broadcast channel live video; recording archive dvr vod; " +
  "encoder ingest entry; buffering rebuffering stutter lag; viewers audience watched watchers plays; " +
  "logs log logfile logfiles; resend redeliver again; ship deliver send forward delivery; " +
  "compressed gzip zip encoding compress; group folder team department; move transfer hand relocate; " +
  "rename name rebrand; tenant customer client; app application product; staging test preview; " +
  "production live; rule behavior behaviour; schema format structure validate; " +
  "health alive ping available check; when schedule time date window; expire end renew renewal; " +
  "undo revert rollback restore back; approve approval pending plan; origin backend server upstream; " +
  "slow latency performance; blueprint template; recap summary digest; drill detail; " +
  "knob option setting filter metric; homemade custom own; combo pair assignment link; feed stream; " +
  "rev version revision draft; trap honeypot sinkhole decoy; rulebook policy; panic emergency; " +
  "sparkline squiggle chart graph curve; ringing screaming firing active; learning smart adaptive baseline; " +
  "reaction response action; nasty threat malware; prop property; box server machine; " +
  "decode translate translation explain reference; job background launch; mailbox inbox email; " +
  "spam unsubscribe notification; dead unused obsolete old inactive leftover; " +
  "leaked compromised stolen revoke; good valid active; hidden block hide wall bar; author editor changed; " +
  "weekend period window date; vendor builtin standard; kind type category; capacity quota limit full; " +
  "import upload feed; wrongly mistake accidentally; abroad foreign country; owner whose belong; " +
  "camera channel stream; match game concert show broadcast event; player device; stall buffering rebuffering; " +
  "subscriber viewer; hourly interval often frequency; uuencode gzip encoding; column field format; " +
  "shipment delivery shipping ship; agreement contract; module product feature; uptime availability available; " +
  "nameserver dns; consumption usage overage; incident firing outage; " +
  "maintenance suppression exclude excluded; model baseline learned; dashboard summary overview; " +
  "console portal gui ui; endpoint component service backend responding alive health; probe test vantage; " +
  "proof validation challenge; issuance issue; cipher tls profile; attach add include; detach remove exclude; " +
  "vanity redirect; canary shift split; evacuate drain failover; gate queue; rush crowd stampede waiting; " +
  "geo country; cidr ip range; subscription entitlement; offboard churn left quit leave; " +
  "reorganize restructure move; authenticator phone tfa; forgot forgotten reset; hijacked compromised lock; " +
  "toggle switch enable disable; deadline expire end; colleague user; zone domain dns; nested subgroup child; " +
  "parent above; rights permission capability; freshness ttl caching cached; compression gzip; " +
  "storage netstorage archive; completeness threshold; freelancer contractor user person; " +
  "guy girl dude folk person user employee colleague; boss manager admin administrator; " +
  "intern trainee contractor freelancer agency user; firm company business client customer tenant; " +
  "shop store website site; picture image photo thumbnail; film movie clip video; " +
  "webpage page url link address; subdomain hostname domain; bundle pack package; " +
  "money cost bill billing invoice price spend; gigabyte gb terabyte tb byte volume usage; " +
  "throughput bandwidth gbps mbps; uptime sla availability; downtime outage down unavailable; " +
  "crash failure error broken crashed; hiccup glitch problem trouble issue error; " +
  "lag latency slow delay sluggish; siren alarm alert bell pager; mobile phone telephone cell; " +
  "pwd password pass passphrase; logon login signin account; hacker attacker intruder attack; " +
  "breach leak leaked compromise compromised stolen hacked exposed; scam fraud phishing; porn adult; " +
  "ransomware trojan worm malware virus; infected bot zombie malware; casino betting gambling; " +
  "facebook twitter instagram tiktok social; bypass override exception; forwarder resolver nameserver dns; " +
  "signing csr signed; chain pem certificate; challenge dcv validation token; alias cname canonical; " +
  "spf dkim dmarc txt; apex root domain; zonefile bind zone; revision version iteration edition; " +
  "draft inactive editable unpublished; snapshot backup copy export; diff difference compare comparison; " +
  "note comment remark description annotation; label tag name title; creator author who; " +
  "responsible owner belong; upper parent above; below child nested subgroup sub; hierarchy tree structure; " +
  "team department unit division squad; subsidiary brand business; excel spreadsheet csv; " +
  "picture chart graph plot diagram; trend sparkline curve; average mean aggregate; " +
  "busiest peak highest top most; viewership audience viewers; footage recording archive; " +
  "episode show event broadcast; gig concert match webinar keynote broadcast event; obs encoder; " +
  "playback player play; stutter freeze buffering stall; quality qos qoe experience; nation country territory; " +
  "continent region location; isp provider carrier network asn; geoip geolocation locate location; " +
  "ghost edge server machine node; pop location; colo datacenter; ratio percentage share weight half third; " +
  "healthcheck liveness health probe; overload rush surge spike peak; surge jump spike climb rise increase; " +
  "dip drop fall decrease decline; promo promotion sale campaign; premiere launch release; " +
  "holiday weekend period; calendar schedule date upcoming; lapse expire end run out; " +
  "valid expire until validity; prolong extend longer keep; missing lost gone gap; sftp ftp server; " +
  "bucket storage netstorage; siem splunk log; line entry row record; grep filter search; megabyte mb size; " +
  "nightly daily hourly interval; encrypt gpg pgp encryption; retention keep kept retained; " +
  "outdated stale old; refetch revalidate refresh reload; departed left quit resign fired leaver; " +
  "newcomer hire joiner newbie; reopen restore reactivate unlock; thaw unfreeze unlock; rotate renew replace; " +
  "elevate promote admin; demote downgrade; tie link associate attach bind connect assign bundle; " +
  "untie unlink unassign detach disassociate unhook; sell offer catalogue; buy order purchase bought licensed; " +
  "expect forecast predict anticipated; heads announce tell warn; postpone delay reschedule defer later; " +
  "prove verify validate ownership; accept acknowledge approve agree confirm; reject deny refuse decline; " +
  "pending waiting wait outstanding; stuck hang hanging blocked blocking; " +
  "forbid deny block ban prohibit forbidden; permit allow let whitelist allowed; unblock allow unban; " +
  "translate decode explain interpret; mean meaning explain stand; reason why cause root; " +
  "silence mute quiet snooze; unused unassigned idle orphan; mistake wrong accident error botched; " +
  "leftover old unused; possible available valid allowed permitted; choice option pick value; " +
  "quick short brief; entire whole complete full; everywhere global all; " +
  "instantly immediately urgent emergency; ongoing current running active; impact affected consequence effect; " +
  "impacted affected hurt burned; handler coordinator contact; person contact people; " +
  "reminder notification mail newsletter; language locale; province state region; yank remove; " +
  "anomaly unusual abnormal spike; average normal baseline; typo misspelt wrong correct; fresh new; " +
  "machine device box appliance; scrub clean delete; browser agent device; address ip location; " +
  "dns record entry; entries items contents; item entry domain; blocklist list denylist; feed list; " +
  "unit meter statistic measure; measure metric statistic; dimension metric breakdown; breakdown split group; " +
  "granularity interval; filter dimension"
).split("; ");

/** One word of a query. */
interface Asked {
  /** The term itself and its alternatives, with the weight of each. */
  readonly terms: ReadonlyMap<string, number>;
  /** The weight of the word: the main object precedes what it only relates to. */
  readonly weight: number;
}

/** The words of the index, most frequent first, and their terms. */
interface Vocabulary {
  readonly words: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
}

const synonymShare = 0.2;
// Shorter words have too many neighbors: "log" and "lock" are one letter apart.
const fewestLettersToCorrect = 5;
// The factor for words after a preposition ("a stream of a domain") and in each further clause.
const afterPreposition = 0.7;
const inFurtherClause = 0.7;
const leastWeight = 0.3;

const prepositions = new Set(
  "of in on for from with under at by behind before after into onto to about across below within via through against".split(
    " ",
  ),
);
const furtherClause = /[,;:](?=\s)|\s-\s/;

const groupsOf = new Map<string, Set<string>>();
for (const group of synonyms) {
  const terms = [...new Set(termsOf(group))];
  for (const term of terms) groupsOf.set(term, new Set([...(groupsOf.get(term) ?? []), ...terms]));
}
const synonymWords = new Set(synonyms.flatMap(wordsOf));

/** Two known words that were written as one. */
function partsOf(word: string, { words, terms }: Vocabulary): string[] {
  const isKnown = (part: string) => words.has(part) && terms.has(termOf(part) ?? "");
  for (let at = 3; at <= word.length - 3; at += 1) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every(isKnown)) return parts;
  }
  return [];
}

/**
 * The known word at the smallest edit distance, and of several the one that begins alike or is more frequent. A
 * transposition counts as one edit.
 */
function nearest(word: string, { words }: Vocabulary): string | undefined {
  const letters = [...word];
  const exchanged = letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at], ...letters.slice(at + 2)].join(""))
    .find((one) => words.has(one));
  if (exchanged !== undefined) return exchanged;
  const most = word.length < 8 ? 1 : 2;
  const near = [...words]
    .filter((one) => one.length > 3 && Math.abs(one.length - word.length) <= most)
    .map((one) => ({ one, distance: leven(one, word) }));
  const least = Math.min(...near.map(({ distance }) => distance));
  if (least > most) return undefined;
  const closest = near.filter(({ distance }) => distance === least).map(({ one }) => one);
  return closest.find(([initial]) => initial === word[0]) ?? closest[0];
}

/** A query with its words joined if they are known as one: "honey pots", "sub-group". */
const joined = (query: string, { words }: Vocabulary): string =>
  query.replaceAll(
    /(?<![\p{L}\p{N}_./@-])(\p{Ll}{3,})[ -](?=(\p{Ll}{3,})(?![\p{L}\p{N}_./@-]))/gu,
    (both, one: string, other: string) => (words.has(one + other) ? one : both),
  );

/**
 * A query with its typing errors corrected; names, which have capitals, and words with digits or signs stay unchanged.
 */
export function corrected(query: string, vocabulary: Vocabulary): string {
  const isKnown = (word: string) => {
    const term = termOf(word);
    return term === undefined || vocabulary.terms.has(term) || vocabulary.words.has(word) || synonymWords.has(word);
  };
  return joined(query, vocabulary).replaceAll(/[\p{L}\p{N}_.@/:'’#-]+/gu, (token, at: number) => {
    const word = token.toLowerCase();
    const isName = at > 0 && /^\p{Lu}/u.test(token);
    if (!/^\p{L}+$/u.test(token) || token.length < fewestLettersToCorrect || isName || isKnown(word)) return token;
    const parts = partsOf(word, vocabulary);
    return parts.length > 0 ? parts.join(" ") : (nearest(word, vocabulary) ?? token);
  });
}

/** A number is an id of the caller and ignored, except for HTTP statuses, which are often named by number. */
const withoutIds = (text: string): string =>
  text.replaceAll(/(?<![\w.-])(?!(?:30[1278]|40[0134]|429|50[0234])\b)\d+(?![\w.%-])/g, " ");

/**
 * The words of a query, with names, addresses and numbers replaced by their kinds.
 * @param query As returned by `corrected`.
 */
export function askedIn(query: string): Asked[] {
  const weights = new Map<string, number>();
  let related = 0;
  for (const [clause, text] of query.split(furtherClause).entries()) {
    const plain = shapes.reduce((shaped, [shape, words]) => shaped.replaceAll(shape, words), text);
    for (const word of withoutPairs(wordsOf(withoutIds(plain)))) {
      if (prepositions.has(word) && weights.size > 0) related += 1;
      const term = termOf(word);
      if (term !== undefined && !weights.has(term))
        weights.set(term, Math.max(leastWeight, afterPreposition ** related * inFurtherClause ** clause));
    }
  }
  return [...weights].map(([term, weight]) => ({
    terms: new Map([...[...(groupsOf.get(term) ?? [])].map((one) => [one, synonymShare] as const), [term, 1]]),
    weight,
  }));
}
