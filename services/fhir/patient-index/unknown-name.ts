/** Whether a folded name stands for "we do not know": such names are equal for strangers and say nothing. */
export function isUnknownName(family: string, given: string): boolean {
  if (isUnknownWord(family) || isUnknownWord(given)) return true
  return placeholders.has(`${given} ${family}`) || placeholders.has(`${family} ${given}`)
}

function isUnknownWord(name: string): boolean {
  return (
    unknownWords.has(name) ||
    /^(?:baby|newborn|infant|bebe|twin)(?: |$)/.test(name) ||
    (/^(.)\1*$/.test(name) && name.length > 2)
  )
}

const placeholders = new Set(['john doe', 'jane doe', 'joe bloggs', 'max mustermann', 'erika mustermann', 'no name'])

/** Folded, as names are when they come here. Short words that are also real names (Na, No, An) are left out. */
const unknownWords = new Set([
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
