import type { DiagnosticReport, Encounter, Observation } from '../../../packages/fhir/r4.ts'
import type { DemoTools } from './demo-tools.ts'
import { facilityNames } from './facilities.ts'
import { histories } from './histories.ts'
import { interpretationOf, laboratoryTests, type LaboratoryTest } from './laboratory.ts'
import { concept, hl7, hl7Concept, quantity, reference, systems } from './parts.ts'
import type { DemoPerson } from './people.ts'
import { doctorOf, practitionerName } from './practitioners.ts'
import { vitalSigns } from './vital-signs.ts'

/** A visit every few months: the encounter, vital signs, and what the laboratory found. */
export function demoVisits(person: DemoPerson, tools: DemoTools): (Encounter | Observation | DiagnosticReport)[] {
  const count = 2 + Math.min(person.history.length, 3)
  return Array.from({ length: count }, (_, at) => {
    const daysAgo = 20 + at * 95 + tools.random.below(40)
    const encounter = visit(person, at, daysAgo, tools)
    return [encounter, ...vitalSigns(person, at, daysAgo, tools), ...laboratory(person, at, daysAgo, tools)]
  }).flat()
}

function visit(person: DemoPerson, at: number, daysAgo: number, { calendar }: DemoTools): Encounter {
  const { id, facility, history } = person
  const doctor = doctorOf[facility]
  const isAdmitted = at === 0 && history.includes('appendicitis')
  const [code, display] = isAdmitted ? ['IMP', 'inpatient encounter'] : ['AMB', 'ambulatory']
  const start = calendar.momentDaysAgo(isAdmitted ? 1 : daysAgo)
  return {
    resourceType: 'Encounter',
    id: `${id}-visit-${at + 1}`,
    identifier: [{ system: `urn:corridor:demo:${facility}:visit`, value: `${id}-${at + 1}` }],
    status: isAdmitted ? 'in-progress' : 'finished',
    class: { system: hl7('v3-ActCode'), code: code ?? 'AMB', display: display ?? '' },
    subject: reference(`Patient/${id}`),
    participant: [{ individual: reference(`Practitioner/${doctor}`, practitionerName(doctor)) }],
    period: { start, ...(isAdmitted ? {} : { end: calendar.momentDaysAgo(daysAgo, 10) }) },
    ...(isAdmitted ? { location: [{ location: reference('Location/central-bed-a1'), status: 'active' }] } : {}),
    serviceProvider: reference(`Organization/${facility}`, facilityNames[facility]),
  }
}

function laboratory(
  person: DemoPerson,
  at: number,
  daysAgo: number,
  tools: DemoTools,
): (Observation | DiagnosticReport)[] {
  const codes = [...new Set(person.history.flatMap((name) => histories[name]?.tests.split(' ') ?? []))]
  const results = codes.flatMap((code) => {
    const test = laboratoryTests[code]
    return test === undefined ? [] : [result(person, code, test, at, daysAgo, tools)]
  })
  if (results.length === 0) return []
  return [...results, report(person, results, at, daysAgo, tools)]
}

function result(
  person: DemoPerson,
  code: string,
  test: LaboratoryTest,
  at: number,
  daysAgo: number,
  { calendar, random }: DemoTools,
): Observation {
  const [low, high] = test.usual
  const value = Number((low + random.fraction() * (high - low)).toFixed(test.digits))
  return {
    resourceType: 'Observation',
    id: `${person.id}-lab-${at + 1}-${code.toLowerCase()}`,
    status: 'final',
    category: [hl7Concept('observation-category', 'laboratory')],
    code: concept(systems.loinc, test.loinc, test.name),
    subject: reference(`Patient/${person.id}`),
    encounter: reference(`Encounter/${person.id}-visit-${at + 1}`),
    effectiveDateTime: calendar.momentDaysAgo(daysAgo),
    issued: calendar.momentDaysAgo(daysAgo, 14),
    performer: [reference(`Organization/${person.facility}`, facilityNames[person.facility])],
    valueQuantity: quantity(value, test.unit),
    interpretation: [hl7Concept('v3-ObservationInterpretation', interpretationOf(value, test))],
    referenceRange: [{ low: quantity(test.normal[0], test.unit), high: quantity(test.normal[1], test.unit) }],
  }
}

function report(
  { id, facility }: DemoPerson,
  results: readonly Observation[],
  at: number,
  daysAgo: number,
  { calendar }: DemoTools,
): DiagnosticReport {
  return {
    resourceType: 'DiagnosticReport',
    id: `${id}-report-${at + 1}`,
    identifier: [{ system: `urn:corridor:demo:${facility}:report`, value: `${id}-${at + 1}` }],
    status: 'final',
    category: [hl7Concept('v2-0074', 'LAB')],
    code: concept(systems.loinc, '11502-2', 'Laboratory report'),
    subject: reference(`Patient/${id}`),
    encounter: reference(`Encounter/${id}-visit-${at + 1}`),
    effectiveDateTime: calendar.momentDaysAgo(daysAgo),
    issued: calendar.momentDaysAgo(daysAgo, 15),
    performer: [reference(`Organization/${facility}`, facilityNames[facility])],
    result: results.map((one) => reference(`Observation/${one.id}`)),
  }
}
