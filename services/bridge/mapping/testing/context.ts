import { makeZone } from '../../../../packages/hl7/index.ts'
import type { MappingContext } from '../context.ts'
import type { CodeNeed, Terms } from '../terms.ts'
import { cvx, loinc, snomed, termKey, type TermAnswer } from '../terms.ts'

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
  [termKey({ target: loinc, system: 'https://corridor.example/codes/CENTRAL/local', code: 'WBC' })]: [
    { system: loinc, code: '6690-2', display: 'Leukocytes [#/volume] in Blood by Automated count' },
  ],
  [termKey({ target: cvx, system: cvx, code: '03' })]: [
    { system: cvx, code: '03', display: 'measles, mumps and rubella virus vaccine' },
  ],
  ...Object.fromEntries(
    Object.entries({
      '718-7': 'Hemoglobin [Mass/volume] in Blood',
      '58410-2': 'CBC panel - Blood by Automated count',
      '2345-7': 'Glucose [Mass/volume] in Serum or Plasma',
      '600-7': 'Bacteria identified in Blood by Culture',
      '50545-3': 'Bacterial susceptibility panel by Minimum inhibitory concentration (MIC)',
      '8480-6': 'Systolic blood pressure',
      '8462-4': 'Diastolic blood pressure',
      '8867-4': 'Heart rate',
      '29463-7': 'Body weight',
      '8302-2': 'Body height',
    }).map(([code, display]) => [termKey({ target: loinc, system: loinc, code }), [{ system: loinc, code, display }]]),
  ),
}

export const answers = (needs: readonly CodeNeed[]): Terms =>
  new Map(needs.map((need) => [termKey(need), known[termKey(need)] ?? 'unmapped']))
