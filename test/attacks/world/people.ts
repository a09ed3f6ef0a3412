import type { ServiceName } from '../../../apps/corridor/service-names.ts'
import type { TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { AppVisitor } from '../../../services/immunization/testing/app-visitor.ts'

/** The people of the demo, each at a browser that has signed in everywhere they may. */
export const people = ['admin', 'clinician', 'clinician2', 'patient'] as const
export type Person = (typeof people)[number]

/** The Cookie header of each: a session at every service. */
export type SignedInPeople = Readonly<Record<Person, string>>

interface Place {
  readonly corridor: TestCorridor
  origin(service: ServiceName): string
}

export async function signedInPeople(place: Place): Promise<SignedInPeople> {
  const cookies = await Promise.all(people.map((person) => cookieOf(person, place)))
  // Sound: there is one for each of them, in their order.
  return Object.fromEntries(people.map((person, index) => [person, cookies[index]])) as Record<Person, string>
}

async function cookieOf(person: Person, place: Place): Promise<string> {
  const visitor = new AppVisitor(place.corridor)
  await visitor.signIn(person)
  for (const service of ['consent', 'referral', 'bridge'] as const) {
    const entrance = `${place.origin(service)}/sign-in?to=${encodeURIComponent('/about')}`
    await visitor.follow(await visitor.get(entrance), ({ pathname }) => pathname === '/about')
  }
  if (person !== 'patient') await visitor.launch('amina-diallo')
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}
