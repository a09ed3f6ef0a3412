import type { MappedPair, ShippedConceptMap } from '../content.ts'

/** Code of ICD-10, concept of SNOMED CT, its name, and whether the concept says less than the code. */
const rows: readonly (readonly [icd10: string, snomed: string, name: string, isWider?: true])[] = [
  ['A09', '25374005', 'Gastroenteritis', true],
  ['A15.0', '154283005', 'Pulmonary tuberculosis', true],
  ['B20', '86406008', 'Human immunodeficiency virus infection', true],
  ['B54', '61462000', 'Malaria'],
  ['D64.9', '271737000', 'Anemia'],
  ['E10.9', '46635009', 'Diabetes mellitus type 1', true],
  ['E11.9', '44054006', 'Diabetes mellitus type 2', true],
  ['E66.9', '414916001', 'Obesity'],
  ['F32.9', '35489007', 'Depressive disorder', true],
  ['G40.9', '84757009', 'Epilepsy'],
  ['I10', '38341003', 'Hypertensive disorder, systemic arterial', true],
  ['I21.9', '57054005', 'Acute myocardial infarction'],
  ['I50.9', '84114007', 'Heart failure'],
  ['J06.9', '54150009', 'Upper respiratory infection', true],
  ['J18.9', '233604007', 'Pneumonia'],
  ['J44.9', '13645005', 'Chronic obstructive lung disease'],
  ['J45.9', '195967001', 'Asthma'],
  ['K21.9', '235595009', 'Gastroesophageal reflux disease', true],
  ['N39.0', '68566005', 'Urinary tract infectious disease'],
  ['U07.1', '840539006', 'Disease caused by severe acute respiratory syndrome coronavirus 2'],
]

const pairs = rows.map(([icd10, snomed, name, isWider]): MappedPair => [
  icd10,
  snomed,
  isWider === true ? 'wider' : 'equivalent',
  name,
])

/**
 * Frequent diagnoses, for the demonstration and as a pattern: a site loads the map that it is licensed for. The file
 * TERMINOLOGY-NOTICES.md says under which terms these few concepts stand here.
 */
export const diagnosisMap: ShippedConceptMap = {
  url: 'urn:corridor:concept-map:frequent-diagnoses',
  name: 'Frequent diagnoses, ICD-10 to SNOMED CT',
  groups: ['http://hl7.org/fhir/sid/icd-10', 'http://hl7.org/fhir/sid/icd-10-cm'].map((source) => ({
    source,
    target: 'http://snomed.info/sct',
    pairs,
  })),
}
