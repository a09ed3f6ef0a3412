import { describe, expect, it } from 'vitest'
import { unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound/outbound.ts'
import type { PostWriteEvent } from './coordination.ts'
import { httpCoordination } from './http-coordination.ts'

/** Notes what begins and what has ended; each request ends in a later turn of the event loop. */
function service(statusOf: (id: string, attempt: number) => number = () => 202) {
  const said: string[] = []
  const attempts = new Map<string, number>()
  const send = async ({ headers }: { readonly headers?: Readonly<Record<string, string>> }) => {
    const id = headers?.['idempotency-key'] ?? ''
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    said.push(`${id}?`)
    await new Promise(setImmediate)
    const status = statusOf(id, attempt)
    if (status === 0) throw unavailable('No answer.')
    said.push(`${id}!`)
    return { status }
  }
  // Sound: nothing else of an answer is read.
  const outbound = { send } as unknown as Pick<Outbound, 'send'>
  return { said, attempts, coordination: httpCoordination({ url: 'http://coordination.example', outbound }) }
}

const event = (eventId: string, patient: string | null): PostWriteEvent => ({
  ...{ eventId, patient, eventType: 'POST_WRITE', occurredAt: '2026-03-04T05:06:07Z', transactionId: eventId },
  ...{ channelId: 'adt', messageType: 'ADT^A08', controlId: eventId, facilityCode: null, organization: null },
  ...{ goldenPatientId: null, encounter: null, resources: [], sections: [], purposeOfUse: 'TREAT' },
  flags: { critical: false, merge: false },
})

describe('events for a coordination service elsewhere', () => {
  it('of one patient come one after the other, those of others beside them', async () => {
    const { said, coordination } = service()
    await coordination.postWrite([event('a1', 'Patient/a'), event('b1', 'Patient/b'), event('a2', 'Patient/a')])
    expect(said.indexOf('a2?')).toBeGreaterThan(said.indexOf('a1!'))
    expect(said.indexOf('b1?')).toBeLessThan(said.indexOf('a1!'))
  })

  it('about nobody do not wait for each other', async () => {
    const { said, coordination } = service()
    await coordination.postWrite([event('1', null), event('2', null)])
    expect(said.slice(0, 2)).toEqual(['1?', '2?'])
  })

  it('that were taken are not told again when the rest has to be', async () => {
    const { attempts, coordination } = service((id, attempt) => (id === 'a2' && attempt === 1 ? 0 : 202))
    const events = [event('a1', 'Patient/a'), event('a2', 'Patient/a'), event('a3', 'Patient/a')]
    await expect(coordination.postWrite(events)).rejects.toMatchObject({ kind: 'unavailable' })
    await coordination.postWrite(events)
    expect([...attempts]).toEqual([
      ['a1', 1],
      ['a2', 2],
      ['a3', 1],
    ])
  })

  it.each([401, 408, 429, 500, 503])('wait where the service answers %i', async (status) => {
    const { coordination } = service(() => status)
    await expect(coordination.postWrite([event('a1', 'Patient/a')])).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    [400, 'incorrect'],
    [413, 'incorrect'],
    [415, 'incorrect'],
    [422, 'incorrect'],
    [403, 'forbidden'],
    [409, 'conflict'],
    [302, 'missing'],
    [404, 'missing'],
    [405, 'missing'],
    [410, 'missing'],
  ])('that the service answers with %i are %s', async (status, kind) => {
    const { coordination } = service(() => status)
    await expect(coordination.postWrite([event('a1', 'Patient/a')])).rejects.toMatchObject({
      ...{ kind, code: 'COORDINATION_REFUSED', logged: `status ${status}` },
    })
  })

  it('that were taken are not told again with a half of their batch either', async () => {
    const { attempts, coordination } = service((id) => (id === 'b1' ? 422 : 202))
    const [first, second] = [event('a1', 'Patient/a'), event('b1', 'Patient/b')]
    await expect(coordination.postWrite([first, second])).rejects.toMatchObject({ kind: 'incorrect' })
    await coordination.postWrite([first])
    await expect(coordination.postWrite([second])).rejects.toMatchObject({ kind: 'incorrect' })
    expect(attempts.get('a1')).toBe(1)
  })

  it('are not remembered without end', async () => {
    const { attempts, coordination } = service()
    const many = Array.from({ length: 2_000 }, (_, index) => event(`n${index}`, null))
    await coordination.postWrite([event('first', null)])
    await coordination.postWrite(many)
    await coordination.postWrite([event('first', null)])
    expect(attempts.get('first')).toBe(2)
  })

  it('are not begun any more after one was refused, and what is under way is waited for', async () => {
    const { said, coordination } = service((id) => (id === '1' ? 422 : 202))
    const events = Array.from({ length: 20 }, (_, index) => event(String(index + 1), `Patient/${index + 1}`))
    await expect(coordination.postWrite(events)).rejects.toMatchObject({ kind: 'incorrect' })
    expect(said.filter((one) => one.endsWith('?'))).toHaveLength(8)
    expect(said.filter((one) => one.endsWith('!'))).toHaveLength(8)
  })
})
