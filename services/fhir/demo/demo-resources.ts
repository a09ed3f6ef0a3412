import { seededRandom } from '../../../packages/clock/ids.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import { calendarOf } from './calendar.ts'
import { demoFacilities } from './facilities.ts'
import { demoImmunizations } from './immunizations.ts'
import { demoPatient, demoPeople } from './people.ts'
import { demoPractitioners } from './practitioners.ts'
import { demoProblems } from './problems.ts'
import { demoRecommendations } from './recommendations.ts'
import { demoVisits } from './visits.ts'

type DemoResource = Resource & { readonly id: string }

/** Everything that the demo starts with: the same for the same day, each with an id of its own that never changes. */
export function demoResources(now: Date): DemoResource[] {
  const tools = { calendar: calendarOf(now), random: seededRandom(1) }
  const resources: Resource[] = [
    ...demoFacilities(),
    ...demoPractitioners(),
    ...demoPeople.flatMap((person, number) => [
      demoPatient(person, number),
      ...demoVisits(person, tools),
      ...demoProblems(person, tools),
      ...demoImmunizations(person, tools),
      ...demoRecommendations(person, tools),
    ]),
  ]
  // Sound: every resource above is written with its id; a test holds it.
  return resources as DemoResource[]
}
