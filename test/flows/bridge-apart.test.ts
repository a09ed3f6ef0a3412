import { expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { adtA01 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'

interface Reviews {
  readonly content: readonly { readonly goldenId: string; readonly candidateGoldenId: string }[]
}

interface Found {
  readonly entry?: readonly { readonly resource: { readonly link: readonly { other: { reference: string } }[] } }[]
}

it('a facility that nobody knows is let in by a demo whose services are apart, as by one in a single process', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'], apart: true })
  const { port } = corridor.configuration.bridge.channels.adt
  await using sender = await openHl7Sender({ host: '127.0.0.1', port })
  const message = adtA01({ sendingFacility: 'WALK-IN' }, { clock: systemClock, ids: systemIds })
  expect(await sender.send(message)).toMatchObject({ ackCode: 'AA' })
})

it('a bridge whose store is elsewhere has a person decide about twins, as one in the same process does', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'], apart: true })
  const { port } = corridor.configuration.bridge.channels.adt
  await using sender = await openHl7Sender({ host: '127.0.0.1', port })
  const deps = { clock: systemClock, ids: systemIds }
  const twin = { sendingFacility: 'CENTRAL', familyName: 'Twinsworth', birthDate: '19840312', phone: '0700998877' }
  for (const one of [
    { patientId: 'T1', givenName: 'Beatrice' },
    { patientId: 'T2', givenName: 'Leonora' },
  ]) {
    const { ackCode } = await sender.send(adtA01({ ...twin, ...one }, deps))
    expect(ackCode).toBe('AA')
  }
  const get = async <T>(address: string, role: 'SYSTEM' | 'ADMIN') => {
    const answer = await fetch(address, { headers: { authorization: await corridor.bearerFor({ role }) } })
    return (await answer.json()) as T
  }
  const { entry = [] } = await get<Found>(`${corridor.url('fhir')}/Patient?family=Twinsworth`, 'SYSTEM')
  const people = entry.flatMap(({ resource }) => resource.link.map(({ other }) => other.reference))
  const reviews = `${new URL(corridor.url('fhir')).origin}/api/patient-index/reviews`
  const { content } = await get<Reviews>(reviews, 'ADMIN')
  const pairs = content.map(({ goldenId, candidateGoldenId }) => new Set([goldenId, candidateGoldenId]))
  expect(new Set(people).size).toBe(2)
  expect(pairs).toContainEqual(new Set(people.map((reference) => reference.replace('Patient/', ''))))
})
