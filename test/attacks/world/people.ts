import { AppVisitor } from '../../../services/immunization/testing/app-visitor.ts'
import type { World } from './world.ts'

/** The people of the demo, each at a browser that has signed in everywhere they may. */
export const people = ['admin', 'clinician', 'clinician2', 'patient'] as const
export type Person = (typeof people)[number]

/** The Cookie header of each: a session at every service. */
export type SignedInPeople = Readonly<Record<Person, string>>

export async function signedInPeople(world: Pick<World, 'corridor' | 'origin'>): Promise<SignedInPeople> {
  const cookies = await Promise.all(people.map((person) => cookieOf(person, world)))
  // Sound: there is one for each of them, in their order.
  return Object.fromEntries(people.map((person, index) => [person, cookies[index]])) as Record<Person, string>
}

async function cookieOf(person: Person, world: Pick<World, 'corridor' | 'origin'>): Promise<string> {
  const visitor = new AppVisitor(world.corridor)
  await visitor.signIn(person)
  for (const service of ['consent', 'referral', 'bridge'] as const) {
    const entrance = `${world.origin(service)}/sign-in?to=${encodeURIComponent('/about')}`
    await visitor.follow(await visitor.get(entrance), ({ pathname }) => pathname === '/about')
  }
  if (person !== 'patient') await visitor.launch('amina-diallo')
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}
