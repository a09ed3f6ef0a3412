import type { MappedPair, ShippedConceptMap } from '../content.ts'

const v2 = (number: string) => `http://terminology.hl7.org/CodeSystem/v2-${number}`
const fhir = (name: string) => `http://hl7.org/fhir/${name}`
const v3 = (name: string) => `http://terminology.hl7.org/CodeSystem/v3-${name}`

/** `A B>c` maps A and B to c; a tilde before the target says that it is wider than the source. */
function table(number: string, target: string, text: string): ShippedConceptMap {
  const name = target.split('/').at(-1) ?? target
  const pairs = text
    .trim()
    .split(/\s*,\s*/)
    .flatMap((rule): MappedPair[] => {
      const [sources = '', to = ''] = rule.split('>')
      const codes = sources.trim().split(/\s+/)
      const isWider = to.startsWith('~')
      return codes.map((code) => (isWider ? [code, to.slice(1), 'wider'] : [code, to]))
    })
  return {
    url: `urn:corridor:concept-map:v2-${number}-${name}`,
    name: `Table ${number} to ${name}`,
    groups: [{ source: v2(number), target, pairs }],
  }
}

/** The code tables of HL7 v2 in the words of FHIR, after HL7's v2-to-FHIR mapping. */
export const v2Maps: readonly ShippedConceptMap[] = [
  table('0001', fhir('administrative-gender'), 'F>female, M>male, O>other, U>unknown, A N>~other'),
  table('0004', v3('ActCode'), 'E>EMER, I>IMP, O>AMB, P>PRENC'),
  table(
    '0119',
    fhir('request-status'),
    `
    NW OK AF PR PY RL RO RQ CA HD>~active, CR DC DF DR OC OD>~revoked, HR OH>~on-hold, FU>~completed`,
  ),
  table(
    '0038',
    fhir('request-status'),
    `
    CA DC RP>~revoked, CM>completed, ER>entered-in-error, HD>on-hold, IP SC A>~active`,
  ),
  table(
    '0123',
    fhir('diagnostic-report-status'),
    `
    O I S>~registered, P>preliminary, R>partial, F>final, C>corrected, X>cancelled`,
  ),
  table(
    '0085',
    fhir('observation-status'),
    `
    P>preliminary, F>final, C>corrected, A>amended, D W>~entered-in-error, X>cancelled`,
  ),
  table(
    '0278',
    fhir('appointmentstatus'),
    `
    Pending>pending, Waitlist>waitlist, Booked>booked, Started>checked-in, Complete>fulfilled, Cancelled>cancelled,
    Deleted>entered-in-error, Noshow>noshow`,
  ),
  table('0485', fhir('request-priority'), 'S>stat, A>asap, R>routine'),
  table('0127', fhir('allergy-intolerance-category'), 'DA>medication, FA>food, EA PA LA>~environment, AA>~biologic'),
  table('0128', fhir('reaction-event-severity'), 'SV>severe, MO>moderate, MI>mild'),
  table('0190', fhir('address-use'), 'H>home, B O>~work, C>temp, BA>old, BI>billing'),
  table('0190', fhir('address-type'), 'M SH>~postal'),
  table(
    '0200',
    fhir('name-use'),
    'L R>~official, D>usual, M>maiden, N>nickname, MSK>anonymous, NAV TEMP>temp, BAD>old',
  ),
  table('0201', fhir('contact-point-use'), 'PRN>home, WPN>work, PRS>mobile'),
  table(
    '0202',
    fhir('contact-point-system'),
    `
    PH>phone, FX>fax, BP>pager, Internet X.400>email, MD SAT TDD TTY>~other`,
  ),
  table('0322', fhir('event-status'), 'CP>completed, PA>~completed, RE NA>~not-done'),
]
