import type { AllergyIntolerance, Condition, MedicationRequest } from '../../../packages/fhir/r4.ts'
import { histories, type History } from './histories.ts'
import { concept, hl7Concept, reference, systems } from './parts.ts'
import type { DemoPerson } from './people.ts'
import { doctorOf, practitionerName } from './practitioners.ts'
import type { DemoTools } from './demo-tools.ts'

/** Conditions, the medicines against them, and allergies. */
export function demoProblems(
  person: DemoPerson,
  tools: DemoTools,
): (Condition | MedicationRequest | AllergyIntolerance)[] {
  return person.history.flatMap((name) => {
    const history = histories[name]
    if (history === undefined) return []
    return [
      condition(person, name, history, tools),
      ...medication(person, name, history, tools),
      ...allergy(person, name, history, tools),
    ]
  })
}

function condition({ id }: DemoPerson, name: string, history: History, { calendar }: DemoTools): Condition {
  const onset = calendar.daysAgo(Math.max(40, Math.round(history.years * 365.25)))
  const status = history.isOver === true ? 'resolved' : 'active'
  return {
    resourceType: 'Condition',
    id: `${id}-condition-${name}`,
    clinicalStatus: hl7Concept('condition-clinical', status),
    verificationStatus: hl7Concept('condition-ver-status', 'confirmed'),
    category: [hl7Concept('condition-category', 'problem-list-item')],
    code: {
      coding: [
        { system: systems.snomed, code: history.snomed, display: history.name },
        { system: systems.icd10, code: history.icd10 },
      ],
      text: history.name,
    },
    subject: reference(`Patient/${id}`),
    onsetDateTime: onset,
    ...(history.isOver === true ? { abatementDateTime: calendar.daysAgo(20) } : {}),
    recordedDate: onset,
  }
}

function medication(
  { id, facility }: DemoPerson,
  name: string,
  { medicine, isOver }: History,
  { calendar }: DemoTools,
): MedicationRequest[] {
  if (medicine === undefined) return []
  const [atc, text, dose] = medicine
  const doctor = doctorOf[facility]
  return [
    {
      resourceType: 'MedicationRequest',
      id: `${id}-medication-${name}`,
      status: isOver === true ? 'completed' : 'active',
      intent: 'order',
      medicationCodeableConcept: concept(systems.atc, atc, text),
      subject: reference(`Patient/${id}`),
      encounter: reference(`Encounter/${id}-visit-1`),
      authoredOn: calendar.daysAgo(30),
      requester: reference(`Practitioner/${doctor}`, practitionerName(doctor)),
      reasonReference: [reference(`Condition/${id}-condition-${name}`)],
      dosageInstruction: [{ text: dose }],
    },
  ]
}

function allergy(
  { id }: DemoPerson,
  name: string,
  { allergy: found }: History,
  { calendar }: DemoTools,
): AllergyIntolerance[] {
  if (found === undefined) return []
  const [snomed, text, category] = found
  return [
    {
      resourceType: 'AllergyIntolerance',
      id: `${id}-allergy-${name}`,
      clinicalStatus: hl7Concept('allergyintolerance-clinical', 'active'),
      verificationStatus: hl7Concept('allergyintolerance-verification', 'confirmed'),
      type: 'allergy',
      category: [category],
      criticality: category === 'environment' ? 'low' : 'high',
      code: concept(systems.snomed, snomed, text),
      patient: reference(`Patient/${id}`),
      recordedDate: calendar.daysAgo(900),
    },
  ]
}
