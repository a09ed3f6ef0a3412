import type { Random } from '../../../packages/clock/ids.ts'
import type { Observation, ObservationComponent } from '../../../packages/fhir/r4.ts'
import { concept, hl7Concept, quantity, reference, systems } from './parts.ts'
import type { DemoPerson } from './people.ts'
import type { DemoTools } from './demo-tools.ts'

/** Blood pressure, pulse, temperature, oxygen saturation, weight and height at one visit. */
export function vitalSigns(person: DemoPerson, at: number, daysAgo: number, tools: DemoTools): Observation[] {
  const { random, calendar } = tools
  const isChild = person.birthDate >= calendar.daysAgo(5_500)
  const pressure = person.history.includes('hypertension') ? 24 : 0
  const between = (low: number, high: number, digits = 0) => measured(low, high, digits, random)
  const sign = (name: string, loinc: string, display: string): Omit<Observation, 'valueQuantity'> => ({
    resourceType: 'Observation',
    id: `${person.id}-vital-${at + 1}-${name}`,
    status: 'final',
    category: [hl7Concept('observation-category', 'vital-signs')],
    code: concept(systems.loinc, loinc, display),
    subject: reference(`Patient/${person.id}`),
    encounter: reference(`Encounter/${person.id}-visit-${at + 1}`),
    effectiveDateTime: calendar.momentDaysAgo(daysAgo),
  })
  const part = (loinc: string, display: string, value: number): ObservationComponent => ({
    code: concept(systems.loinc, loinc, display),
    valueQuantity: quantity(value, 'mmHg', 'mm[Hg]'),
  })
  const weight = isChild ? between(8, 28, 1) : between(52, 94, 1)
  return [
    {
      ...sign('pressure', '85354-9', 'Blood pressure panel with all children optional'),
      component: [
        part('8480-6', 'Systolic blood pressure', between(100 + pressure, 128 + pressure)),
        part('8462-4', 'Diastolic blood pressure', between(62 + pressure / 2, 82 + pressure / 2)),
      ],
    },
    { ...sign('pulse', '8867-4', 'Heart rate'), valueQuantity: quantity(between(58, 96), '/min') },
    { ...sign('temperature', '8310-5', 'Body temperature'), valueQuantity: quantity(between(36.2, 37.6, 1), 'Cel') },
    {
      ...sign('oxygen', '59408-5', 'Oxygen saturation in Arterial blood by Pulse oximetry'),
      valueQuantity: quantity(between(93, 100), '%'),
    },
    { ...sign('weight', '29463-7', 'Body weight'), valueQuantity: quantity(weight, 'kg') },
    ...(at === 0
      ? [
          {
            ...sign('height', '8302-2', 'Body height'),
            valueQuantity: quantity(isChild ? 92 : between(154, 186), 'cm'),
          },
        ]
      : []),
  ]
}

function measured(low: number, high: number, digits: number, random: Random): number {
  return Number((low + random.fraction() * (high - low)).toFixed(digits))
}
