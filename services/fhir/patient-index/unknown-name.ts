/** Whether a folded name stands for "we do not know": such names are equal for strangers and say nothing. */
export function isUnknownName(family: string, given: string): boolean {
  if (isUnknownWord(family) || isUnknownWord(given)) return true
  const [first, last] = [withoutCount(given), withoutCount(family)]
  return placeholders.has(`${first} ${last}`) || placeholders.has(`${last} ${first}`)
}

function isUnknownWord(name: string): boolean {
  const counted = withoutCount(name)
  return (
    unknownWords.has(counted) ||
    unknownBegin.test(name) ||
    name.split(' ').some((word) => newbornWord.test(word)) ||
    newbornBegin.test(name) ||
    (/^(.)\1*$/.test(name) && name.length > 2)
  )
}

/** Boy A, Boy 2, Jane Doe 17: who is counted has no name of their own. */
const withoutCount = (name: string) => name.replace(/ (?:\p{L}|\d{1,6})$/u, '')

/** What comes behind is a sex, a number or a word of an alphabet (Trauma Foxtrot). */
const unknownBegin =
  /^(?:unknown|unidentified|unnamed|anonymous|unk|unkn|unbekannt|inconnu|desconocido|desconhecido|trauma|zztest)(?: |\d|$)/
const newbornWord =
  /^(?:baby(?:boy|girl)?[a-d\d]?|babyof.{0,40}|newborn|bambino|neonate|infant|bebe|twin|neonato|neugeborenes|neugeborene|nouveaune)$/
const newbornBegin =
  /^(?:boy|girl|son|daughter|b|bb|bg|s|d) (?:of|o) |^(?:bb|bg|rn) | (?:bb|bg)$|^(?:boy|girl)[a-c]$|^nouveau nee?(?: |$)|^recien nacid[oa](?: |$)|^mtoto(?: |$)/

const placeholders = new Set(['john doe', 'jane doe', 'joe bloggs', 'max mustermann', 'erika mustermann', 'no name'])

/** Folded, as names are when they come here. Short words that are also real names (Na, No, An) are left out. */
const unknownWords = new Set([
  'x',
  'xx',
  'unknown',
  'unknwon',
  'unk',
  'unkn',
  'unidentified',
  'anonymous',
  'anonym',
  'anonyme',
  'noname',
  'nameless',
  'not known',
  'not given',
  'not available',
  'not applicable',
  'no first name',
  'no last name',
  'fnu',
  'lnu',
  'nfn',
  'nln',
  'tbd',
  'none',
  'null',
  'male',
  'female',
  'boy',
  'girl',
  'patient',
  'test',
  'testpatient',
  'inconnu',
  'inconnue',
  'sans nom',
  'desconocido',
  'desconocida',
  'sin nombre',
  'desconhecido',
  'desconhecida',
  'unbekannt',
  'sconosciuto',
  'onbekend',
  'ukjent',
  'haijulikani',
  'asiyejulikana',
  '\u0645\u062c\u0647\u0648\u0644',
  '\u0645\u062c\u0647\u0648\u0644\u0629',
  '\u063a\u064a\u0631 \u0645\u0639\u0631\u0648\u0641',
  '\u043d\u0435\u0438\u0437\u0432\u0435\u0441\u0442\u043d\u043e',
  '\u043d\u0435\u0438\u0437\u0432\u0435\u0441\u0442\u043d\u044b\u0438',
  '\u4e0d\u660e',
  '\u672a\u77e5',
  '\u65e0\u540d\u6c0f',
])
