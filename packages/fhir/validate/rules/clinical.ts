import type { Node } from '../report.ts'
import { has, hasChoice, hasOneOf, isCoded, listAt, type Rules } from './rule.ts'

const allergyVerification = 'http://terminology.hl7.org/CodeSystem/allergyintolerance-verification'
const conditionVerification = 'http://terminology.hl7.org/CodeSystem/condition-ver-status'
const conditionClinical = 'http://terminology.hl7.org/CodeSystem/condition-clinical'

/** Findings, orders, allergies, conditions, immunizations and documents. */
export const clinicalRules: Rules = {
  Observation: [
    {
      id: 'obs-6',
      holds: (observation) => !has(observation, 'dataAbsentReason') || !hasChoice(observation, 'value'),
      advice: 'dataAbsentReason stands only where there is no value. Remove one of them.',
    },
    {
      id: 'obs-7',
      holds: (observation) => !hasChoice(observation, 'value') || !repeatsCode(observation),
      advice: 'A component has the code of the observation, so the value belongs into the component only.',
    },
  ],
  'Observation.referenceRange': [
    {
      id: 'obs-3',
      holds: (range) => hasOneOf(range, ['low', 'high', 'text']),
      advice: 'A reference range needs low, high or text.',
    },
  ],
  ServiceRequest: [
    {
      id: 'prr-1',
      holds: (request) => !has(request, 'orderDetail') || has(request, 'code'),
      advice: 'orderDetail needs a code. Add what is ordered.',
    },
  ],
  AllergyIntolerance: [
    {
      id: 'ait-1',
      holds: (allergy) => has(allergy, 'clinicalStatus') || isMistake(allergy, allergyVerification),
      advice: 'An allergy needs a clinicalStatus unless it was entered in error.',
    },
    {
      id: 'ait-2',
      holds: (allergy) => !has(allergy, 'clinicalStatus') || !isMistake(allergy, allergyVerification),
      advice: 'An allergy that was entered in error has no clinicalStatus. Remove it.',
    },
  ],
  Condition: [
    {
      id: 'con-4',
      holds: (condition) =>
        !hasChoice(condition, 'abatement') ||
        isCoded(condition['clinicalStatus'], conditionClinical, ['resolved', 'remission', 'inactive']),
      advice: 'A condition that has abated is inactive, resolved or in remission. Correct its clinicalStatus.',
    },
    {
      id: 'con-5',
      holds: (condition) => !has(condition, 'clinicalStatus') || !isMistake(condition, conditionVerification),
      advice: 'A condition that was entered in error has no clinicalStatus. Remove it.',
    },
  ],
  'Condition.stage': [
    {
      id: 'con-1',
      holds: (stage) => hasOneOf(stage, ['summary', 'assessment']),
      advice: 'A stage needs a summary or an assessment.',
    },
  ],
  'Condition.evidence': [
    {
      id: 'con-2',
      holds: (evidence) => hasOneOf(evidence, ['code', 'detail']),
      advice: 'Evidence needs code or detail.',
    },
  ],
  'Immunization.education': [
    {
      id: 'imm-1',
      holds: (education) => hasOneOf(education, ['documentType', 'reference']),
      advice: 'Education needs a documentType or a reference.',
    },
  ],
  'ImmunizationRecommendation.recommendation': [
    {
      id: 'imr-1',
      holds: (recommendation) => hasOneOf(recommendation, ['vaccineCode', 'targetDisease']),
      advice: 'A recommendation needs a vaccineCode or a targetDisease.',
    },
  ],
  'Composition.section': [
    {
      id: 'cmp-1',
      holds: (section) => hasOneOf(section, ['text', 'entry', 'section']),
      advice: 'A section needs text, entries or sections inside.',
    },
    {
      id: 'cmp-2',
      holds: (section) => !has(section, 'emptyReason') || !has(section, 'entry'),
      advice: 'Only a section without entries has an emptyReason.',
    },
  ],
}

const isMistake = (resource: Node, system: string) =>
  isCoded(resource['verificationStatus'], system, ['entered-in-error'])

function repeatsCode(observation: Node): boolean {
  const components = listAt(observation, 'component')
  if (components.length === 0) return false
  const own = new Set(listAt(observation['code'] as Node, 'coding').map((coding) => JSON.stringify(coding)))
  return components.some((component) =>
    listAt(component['code'] as Node, 'coding').some((coding) => own.has(JSON.stringify(coding))),
  )
}
