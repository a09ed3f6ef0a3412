import type { Immunization } from '../../../packages/fhir/r4.ts'
import { amina } from './amina.ts'
import { childDoses } from './child-schedule.ts'
import type { DemoTools } from './demo-tools.ts'
import type { Dose } from './dose.ts'
import { facilityNames } from './facilities.ts'
import { concept, hl7, hl7Concept, reference, systems } from './parts.ts'
import type { DemoPerson } from './people.ts'
import { vaccines, type Vaccine } from './vaccines.ts'

export function demoImmunizations(person: DemoPerson, tools: DemoTools): Immunization[] {
  return dosesOf(person, tools).map((dose) => immunization(person, dose))
}

/** Amina's are written out; a child has those of the routine schedule, an adult a few. */
function dosesOf(person: DemoPerson, tools: DemoTools): readonly Dose[] {
  if (person.id === 'amina-diallo') return amina.doses(tools.calendar)
  const isChild = person.birthDate >= tools.calendar.daysAgo(5_500)
  return isChild ? childDoses(person.birthDate, tools.calendar) : adultDoses(tools)
}

function adultDoses({ calendar, random }: DemoTools): Dose[] {
  const covid = calendar.daysAgo(1_500 + random.below(200))
  const second = calendar.daysAgo(1_420 + random.below(60))
  return [
    { vaccine: 'tetanusDiphtheria', number: 1, on: calendar.daysAgo(2_000 + random.below(900)) },
    { vaccine: 'covid', number: 1, on: covid },
    { vaccine: 'covid', number: 2, on: second },
    { vaccine: 'influenza', number: 1, on: calendar.daysAgo(330 + random.below(30)) },
  ]
}

function immunization({ id, facility }: DemoPerson, dose: Dose): Immunization {
  const { vaccine, number, on, isSelfReported = false, isNotDone = false, series, note } = dose
  const [cvx, name] = vaccines[vaccine]
  const isGiven = !isNotDone && !isSelfReported
  const { route, millilitres } = waysToGive[vaccine] ?? { route: 'IM', millilitres: 0.5 }
  return {
    resourceType: 'Immunization',
    id: doseId(id, dose),
    status: isNotDone ? 'not-done' : 'completed',
    ...(isNotDone ? { statusReason: hl7Concept('v3-ActReason', 'PATOBJ') } : {}),
    vaccineCode: concept(systems.cvx, cvx, name),
    patient: reference(`Patient/${id}`),
    occurrenceDateTime: on,
    recorded: on,
    primarySource: !isSelfReported,
    ...(isSelfReported ? { reportOrigin: hl7Concept('immunization-origin', 'recall') } : {}),
    ...(isGiven
      ? {
          lotNumber: lotOf(cvx, on),
          ...(route === 'PO' ? {} : { site: concept(hl7('v3-ActSite'), 'LA', 'left arm') }),
          route: concept(hl7('v3-RouteOfAdministration'), route, routes[route]),
          doseQuantity: { value: millilitres, unit: 'mL', system: systems.ucum, code: 'mL' },
          performer: [{ actor: reference(`Organization/${facility}`, facilityNames[facility]) }],
        }
      : {}),
    ...(note === undefined ? {} : { note: [{ text: note }] }),
    ...(isNotDone ? {} : { protocolApplied: [{ series: series ?? `${name} series`, doseNumberPositiveInt: number }] }),
  }
}

const routes = {
  IM: 'Injection, intramuscular',
  IDINJ: 'Injection, intradermal',
  SQ: 'Injection, subcutaneous',
  PO: 'Swallow, oral',
} as const

/** Those that are not given as most are: half a millilitre into the muscle. */
const waysToGive: Readonly<
  Partial<Record<Vaccine, { readonly route: keyof typeof routes; readonly millilitres: number }>>
> = {
  bcg: { route: 'IDINJ', millilitres: 0.05 },
  yellowFever: { route: 'SQ', millilitres: 0.5 },
  measlesRubella: { route: 'SQ', millilitres: 0.5 },
  varicella: { route: 'SQ', millilitres: 0.5 },
  rotavirus: { route: 'PO', millilitres: 1.5 },
}

export const doseId = (patient: string, { vaccine, number, isNotDone = false }: Dose): string =>
  `${patient}-${vaccine.toLowerCase()}-${isNotDone ? 'refused' : number}`

/** Looks like one, and is the same each time. */
const lotOf = (cvx: string, on: string) => `L${cvx}${on.slice(2, 4)}${on.slice(5, 7)}`
