const conditionCategory = 'http://terminology.hl7.org/CodeSystem/condition-category'
const observationCategory = 'http://terminology.hl7.org/CodeSystem/observation-category'
const usCore = 'http://hl7.org/fhir/us/core/CodeSystem'

/** The sub-resources of ONC's list, in words that a patient understands. */
export const granularCategories: Readonly<
  Record<string, readonly { readonly system: string; readonly code: string; readonly label: string }[]>
> = {
  Condition: [
    { system: conditionCategory, code: 'encounter-diagnosis', label: 'diagnoses of a visit' },
    { system: conditionCategory, code: 'problem-list-item', label: 'the problem list' },
    { system: `${usCore}/condition-category`, code: 'health-concern', label: 'health concerns' },
  ],
  Observation: [
    { system: `${usCore}/us-core-observation-category`, code: 'clinical-test', label: 'clinical tests' },
    { system: observationCategory, code: 'laboratory', label: 'laboratory results' },
    { system: observationCategory, code: 'social-history', label: 'social history' },
    { system: `${usCore}/us-core-category`, code: 'sdoh', label: 'social needs' },
    { system: observationCategory, code: 'survey', label: 'surveys' },
    { system: observationCategory, code: 'vital-signs', label: 'vital signs' },
  ],
}
