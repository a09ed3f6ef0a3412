const conditionCategory = 'http://terminology.hl7.org/CodeSystem/condition-category'
const observationCategory = 'http://terminology.hl7.org/CodeSystem/observation-category'
const usCore = 'http://hl7.org/fhir/us/core/CodeSystem'

interface Category {
  readonly system: string
  readonly code: GranularCode
}

/** The catalogues have words for each that a patient understands. */
export type GranularCode =
  | 'encounter-diagnosis'
  | 'problem-list-item'
  | 'health-concern'
  | 'clinical-test'
  | 'laboratory'
  | 'social-history'
  | 'sdoh'
  | 'survey'
  | 'vital-signs'

/** The sub-resources of ONC's list. */
export const granularCategories: Readonly<Record<string, readonly Category[]>> = {
  Condition: [
    { system: conditionCategory, code: 'encounter-diagnosis' },
    { system: conditionCategory, code: 'problem-list-item' },
    { system: `${usCore}/condition-category`, code: 'health-concern' },
  ],
  Observation: [
    { system: `${usCore}/us-core-observation-category`, code: 'clinical-test' },
    { system: observationCategory, code: 'laboratory' },
    { system: observationCategory, code: 'social-history' },
    { system: `${usCore}/us-core-category`, code: 'sdoh' },
    { system: observationCategory, code: 'survey' },
    { system: observationCategory, code: 'vital-signs' },
  ],
}
