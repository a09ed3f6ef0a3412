import { makeZone } from '../../../../packages/hl7/index.ts'
import type { MappingContext } from '../context.ts'
import type { CodeNeed, Terms } from '../terms.ts'
import { loinc, snomed, termKey, type TermAnswer } from '../terms.ts'

/** The facility CENTRAL in Mauritius, as all cases of the mapping see it. */
export const testContext = (changes: Partial<MappingContext> = {}): MappingContext => ({
  base: 'https://corridor.example',
  facility: {
    code: 'CENTRAL',
    organization: 'Organization/central',
    namespaces: new Map([['NATID', 'https://national.example/id']]),
  },
  zone: makeZone('Indian/Mauritius'),
  settings: {},
  terms: new Map(),
  golden: new Map(),
  ...changes,
})

/** What the terminology of the cases knows; every other code is unmapped. */
const known: Readonly<Record<string, TermAnswer>> = {
  [termKey({ target: snomed, system: 'http://hl7.org/fhir/sid/icd-10', code: 'I21.0' })]: [
    { system: snomed, code: '54329005', display: 'Acute myocardial infarction of anterior wall' },
  ],
  [termKey({ target: snomed, system: 'http://hl7.org/fhir/sid/icd-10', code: 'R07.4' })]: [
    { system: snomed, code: '29857009', display: 'Chest pain' },
  ],
  [termKey({ target: loinc, system: loinc, code: '718-7' })]: [
    { system: loinc, code: '718-7', display: 'Hemoglobin [Mass/volume] in Blood' },
  ],
}

export const answers = (needs: readonly CodeNeed[]): Terms =>
  new Map(needs.map((need) => [termKey(need), known[termKey(need)] ?? 'unmapped']))
