/** Proper names that people put into a task, and what each of them is there for. */

const firstNames =
  "aaron adam ahmed aisha alan alex alexander alice amanda amy ana andrea andreas andrew andy angela anna anne anthony antonio " +
  "barbara ben benjamin bob brian carlos carol caroline catherine charlie chloe chris christian christina claire clara daniel " +
  "dave david deborah diana diego donna elena elizabeth ella emily emma eric erik eva fatima felix fiona francesca george " +
  "hannah hans harry heather helen henry ingrid ivan jake james jane janet jason javier jean jeff jen jennifer jenny jessica jim " +
  "joan joe john jonas jonathan jorge jose joseph juan julia julie karen karl kate katie keith kelly ken kevin kim " +
  "klaus kumar larry laura lars lena leo lena linda lisa liz louis lucas lucy luis luke maria marie mario marta martin " +
  "mary matt matthew megan mia michael michelle mike mohammed monica nancy natalie nick nicole nina noah olga oliver " +
  "olivia omar pablo patricia patrick paul paula peter phil philip priya rachel raj rebecca richard robert " +
  "roberto roger ron ruth ryan sam samantha sandra sara sarah scott sean sergio simon sofia sophie stefan stephen steve " +
  "steven sue susan tanya thomas tim tina tom tommy tony tracy vera victor wendy yuki yusuf zoe";

const cities =
  "accra amsterdam athens atlanta auckland bangalore bangkok barcelona beijing berlin bogota boston brisbane brussels " +
  "bucharest budapest cairo chennai chicago cologne copenhagen dallas delhi denver dubai dublin dusseldorf edinburgh " +
  "frankfurt geneva glasgow hamburg hanoi helsinki houston istanbul jakarta johannesburg kyiv lagos lima lisbon london " +
  "lyon madrid manchester manila marseille melbourne miami milan montreal moscow mumbai munich nairobi oslo osaka " +
  "paris perth philadelphia prague riga rome rotterdam santiago seattle seoul shanghai singapore sofia stockholm stuttgart " +
  "sydney taipei tallinn tokyo toronto toulouse valencia vancouver venice vienna vilnius warsaw washington zagreb zurich";

const countries =
  "argentina australia austria belgium brazil britain bulgaria canada chile china colombia croatia denmark egypt england " +
  "estonia europe finland france germany greece hungary india indonesia ireland israel italy japan kenya korea latvia lithuania " +
  "malaysia mexico morocco netherlands nigeria norway pakistan peru philippines poland portugal romania russia scotland " +
  "serbia slovakia slovenia spain sweden switzerland taiwan thailand tunisia turkey ukraine vietnam";

const anyOf = (names: string) => new RegExp(`\\b(?:${names.replaceAll(" ", "|")})\\b`, "gi");

/** What a name looks like, and the words that it then stands for: whose account it is, or where. */
export const properNames: readonly (readonly [RegExp, string])[] = [
  [anyOf(firstNames), "user"],
  [anyOf(cities), "location"],
  [anyOf(countries), "location country"],
];
