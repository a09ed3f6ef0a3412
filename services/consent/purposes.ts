/** A purpose of use: a code of HL7's, a word for one, or one of the country's own. */
export const purposePattern = /^[A-Za-z0-9_.:-]{1,64}$/

/** The words in use for a purpose, and the code of HL7's PurposeOfUse that each means. */
const codeOfPurpose: ReadonlyMap<string, string> = new Map([
  ['TREATMENT', 'TREAT'],
  ['EMERGENCY', 'ETREAT'],
  ['RESEARCH', 'HRESCH'],
  ['PUBLIC-HEALTH', 'PUBHLTH'],
  ['PAYMENT', 'HPAYMT'],
  ['OPERATIONS', 'HOPERAT'],
  ['BREAK-GLASS', 'BTG'],
])

/** One spelling for every purpose; one that is not known is kept as it is, in capitals. */
export function purposeCode(word: string): string {
  const plain = word.toUpperCase().replaceAll('_', '-')
  return codeOfPurpose.get(plain) ?? plain
}

/** The same of several, each once however many words for it were given. */
export const purposeCodes = (words: readonly string[]): readonly string[] => [...new Set(words.map(purposeCode))]

/**
 * The codes below PurposeOfUse in HL7's v3 ActReason of R4, and the kinds of each. HL7 has emergencies among treatment, and
 * breaking the glass among emergencies. People are asked about the three apart: who refuses one has not refused another.
 */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  HMARKT: [],
  HOPERAT: [
    ...['CAREMGT', 'DONAT', 'FRAUD', 'GOV', 'HACCRED', 'HCOMPL', 'HDECD', 'HDIRECT', 'HDM', 'HLEGAL', 'HOUTCOMS'],
    ...['HPRGRP', 'HQUALIMP', 'HSYSADMIN', 'MEMADMIN', 'MILCDM', 'PATADMIN', 'PATSFTY', 'PERFMSR', 'RECORDMGT'],
    ...['SYSDEV', 'TRAIN'],
  ],
  HSYSADMIN: ['LABELING', 'METAMGT'],
  SYSDEV: ['HTEST'],
  HPAYMT: ['CLMATTCH', 'COVAUTH', 'COVERAGE', 'REMITADV'],
  COVERAGE: ['ELIGDTRM', 'ELIGVER', 'ENROLLM', 'MILDCRG'],
  HRESCH: ['BIORCH', 'CLINTRCH', 'DSRCH', 'POARCH', 'TRANSRCH'],
  CLINTRCH: ['CLINTRCHNPC', 'CLINTRCHPC', 'PRECLINTRCH'],
  PATRQT: ['FAMRQT', 'PWATRNY', 'SUPNWK'],
  PUBHLTH: ['DISASTER', 'THREAT'],
  TREAT: ['CLINTRL', 'COC', 'POPHLTH'],
  ETREAT: ['ERTREAT'],
  BTG: [],
}

const wider: ReadonlyMap<string, string> = new Map(
  Object.entries(kindsOf).flatMap(([purpose, kinds]) => kinds.map((kind) => [kind, purpose] as const)),
)

export const isPurposeOfHl7 = (code: string): boolean => Object.hasOwn(kindsOf, code) || wider.has(code)

/** One of HL7's that is none of these and no kind of one: of all such a record says the same. */
export const purposeBeside = (named: readonly string[]): string | undefined =>
  Object.keys(kindsOf).find((code) => !named.some((one) => isKindOf(code, one)))

/** Whether it is this purpose or a kind of it. */
export function isKindOf(code: string, purpose: string): boolean {
  for (let one: string | undefined = code; one !== undefined; one = wider.get(one)) if (one === purpose) return true
  return false
}
