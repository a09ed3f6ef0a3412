import { describe, expect, it } from 'vitest'
import type { Appointment, FhirResource, Slot } from '../../../packages/fhir/r4.ts'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { mapInPasses } from '../mapping/testing/map-in-passes.ts'
import { persist, type PersistDeps } from '../pipeline/5-persist.ts'
import type { Received } from '../pipeline/received.ts'
import { isStop } from '../pipeline/stop.ts'
import { memoryFhirStore } from '../testing/memory-fhir-store.ts'
import { testChannel } from '../testing/test-channels.ts'
import { findStored } from './find-stored.ts'

interface Sent {
  readonly number?: string
  /** `111000`: on the 11th of March at ten. */
  readonly at?: string
  /** Their numbers; none, and the message names nobody whom the appointment needs. */
  readonly doctors?: readonly string[]
  /** When it was sent, where that is not after all others: `09`, in hours. */
  readonly hour?: string
  /** SCH-25 */
  readonly status?: string
}

/** Sends messages one after the other to PERSIST, and looks at what is stored. */
class Diary {
  readonly #store = memoryFhirStore()
  /** How often it was asked for slots by their ids, which is a round trip of its own. */
  questions = 0
  #sent = 0

  async send(
    trigger: string,
    { number = 'A1', at, doctors = ['2001'], hour = '10', status = '' }: Sent = {},
  ): Promise<void> {
    const time = at === undefined ? '' : `202603${at}`
    const saidAt = `20260304${hour}15${String(++this.#sent).padStart(2, '0')}`
    const text = [
      `MSH|^~\\&|SCHED|CENTRAL|||${saidAt}||SIU^${trigger}|${this.#sent}|P|2.5.1`,
      `SCH||${number}^SCHED|||||||30|MIN|${at === undefined ? '' : `^^30^${time}`}${'|'.repeat(14)}${status}`,
      'PID|1||1^^^CENTRAL^MR||Diallo^Amina',
      ...(doctors.length === 0 ? [] : ['RGS|1']),
      ...doctors.map((doctor, index) => `AIP|${index + 1}||${doctor}^Okafor^Chidi^^^^^^CENTRAL|||${time}|||30|MIN`),
    ].join('\r')
    const mapped = mapInPasses(text)
    if (mapped.refused !== undefined) throw new Error(mapped.refused[0]?.text)
    const received: Received = {
      ...{ transactionId: 't', channel: testChannel('siu'), message: parseMessage(text), receivedAt: new Date() },
      ...{ attempt: 1, run: 1, wasRefused: false, wasEnded: false, checkHeld: () => {} },
      signal: new AbortController().signal,
    }
    const search: PersistDeps['store']['search'] = (type, criteria, options) => {
      if (type === 'Slot') this.questions++
      return this.#store.search(type, criteria, options)
    }
    const breakers = { call: (_: string, work: () => unknown) => work() }
    const base = 'https://corridor.example'
    // Sound: the index is asked for nobody here.
    const deps = {
      base,
      store: { ...this.#store, search },
      isOwnStore: true,
      index: {},
      breakers,
    } as unknown as PersistDeps
    const stored = await findStored(mapped.writes, received.signal, deps)
    const governAgain = async () => ({ is: 'governed', silences: 0 }) as const
    const ended = await persist({ received, mapped, people: [], stored, governAgain }, deps)
    if (isStop(ended)) throw new Error(ended.errorCode)
  }

  /** Each slot: `10T09:00 busy`. */
  slots(): string[] {
    return this.#ofType<Slot>('Slot')
      .map(({ start, status }) => `${start.slice(8, 16)} ${status}`)
      .toSorted()
  }

  appointment(): Appointment | undefined {
    return this.#ofType<Appointment>('Appointment')[0]
  }

  #ofType<T extends FhirResource>(type: T['resourceType']): T[] {
    // Sound: it says that it is one.
    return [...this.#store.resources.values()].filter(({ resourceType }) => resourceType === type) as unknown as T[]
  }
}

describe('the slot that an appointment leaves', () => {
  it('is free when it moves to another time of the same doctor, without another question', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send('S13', { at: '111000' })
    expect(diary.slots()).toEqual(['10T09:00 free', '11T10:00 busy'])
    expect(diary.appointment()?.slot).toHaveLength(1)
    expect(diary.questions).toBe(0)
  })

  it.each(['S13', 'S14'])('is free when another doctor takes it over: %s', async (trigger) => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900', doctors: ['2001'] })
    await diary.send(trigger, { at: '111000', doctors: ['2002'] })
    expect(diary.slots()).toEqual(['10T09:00 free', '11T10:00 busy'])
    expect(diary.appointment()?.slot).toHaveLength(1)
    await diary.send(trigger, { at: '100900', doctors: ['2001'] })
    expect(diary.slots()).toEqual(['10T09:00 busy', '11T10:00 free'])
  })

  it('is free when one of two doctors is not needed any more', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900', doctors: ['2001', '2002'] })
    await diary.send('S14', { at: '100900', doctors: ['2001'] })
    expect(diary.slots()).toEqual(['10T09:00 busy', '10T09:00 free'])
  })

  it.each([
    ['is called off', 'S15', {}],
    ['is deleted', 'S17', {}],
    ['is moved', 'S13', { at: '111000' }],
  ])('is free when it %s without a word of whom it needed', async (_what, trigger, sent) => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send(trigger, { ...sent, doctors: [] })
    expect(diary.slots()).toEqual(['10T09:00 free'])
    expect(diary.appointment()?.slot).toBeUndefined()
  })

  it.each([
    ['says nothing of its time', 'S14', {}],
    ['says its time again', 'S14', { at: '100900' }],
    ['says that nobody came', 'S26', {}],
  ])('is not left by a message that %s', async (_what, trigger, sent) => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send(trigger, { ...sent, doctors: [] })
    expect(diary.slots()).toEqual(['10T09:00 busy'])
    expect(diary.appointment()?.slot).toHaveLength(1)
  })

  it('is asked for once, with all the others', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900', doctors: ['2001', '2002', '2003'] })
    await diary.send('S15', { doctors: [] })
    expect(diary.slots()).toEqual(['10T09:00 free', '10T09:00 free', '10T09:00 free'])
    expect(diary.questions).toBe(1)
  })

  it.each(['S20', 'S21', 'S22'])('is none of it any more when its doctor is not needed: %s', async (trigger) => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900', doctors: ['2001', '2002'] })
    await diary.send(trigger, { at: '100900', doctors: ['2002'] })
    expect(diary.slots()).toEqual(['10T09:00 busy', '10T09:00 free'])
    expect(diary.appointment()?.slot).toHaveLength(1)
    expect(diary.questions).toBe(0)
  })

  it.each([
    ['is called off', 'S15', '100900', ['10T09:00 busy']],
    ['moves', 'S13', '111000', ['10T09:00 busy', '11T10:00 busy']],
  ])('stays taken by another appointment when it %s and names its doctor', async (_what, trigger, at, slots) => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send('S12', { number: 'A2', at: '100900' })
    await diary.send(trigger, { at })
    expect(diary.slots()).toEqual(slots)
    await diary.send('S15', { number: 'A2', at: '100900' })
    expect(diary.slots()[0]).toBe('10T09:00 free')
  })

  it.each([
    ['names its doctor', ['2001']],
    ['names nobody', []],
  ])('stays blocked when the appointment is called off by a message that %s', async (_what, doctors) => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send('S23', { at: '100900' })
    expect(diary.slots()).toEqual(['10T09:00 busy-unavailable'])
    await diary.send('S15', { doctors })
    expect(diary.slots()).toEqual(['10T09:00 busy-unavailable'])
    await diary.send('S24', { at: '100900' })
    expect(diary.slots()).toEqual(['10T09:00 free'])
  })

  it('is opened again as what it is: taken', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send('S23', { at: '100900' })
    await diary.send('S24', { at: '100900' })
    expect(diary.slots()).toEqual(['10T09:00 busy'])
  })

  it('stays taken by another appointment', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send('S12', { number: 'A2', at: '100900' })
    await diary.send('S15', { doctors: [] })
    expect(diary.slots()).toEqual(['10T09:00 busy'])
    await diary.send('S15', { number: 'A2', doctors: [] })
    expect(diary.slots()).toEqual(['10T09:00 free'])
  })

  it('is not left because of a message that comes late', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send('S13', { at: '111000', doctors: ['2002'], hour: '09' })
    expect(diary.slots()).toContain('10T09:00 busy')
  })
})

describe('an appointment of a status that no table has', () => {
  it.each(['S12', 'S13', 'S14', 'S18', 'S27'])(
    'is what it was, and takes no slot when that is over: %s',
    async (trigger) => {
      const diary = new Diary()
      await diary.send('S12', { at: '100900' })
      await diary.send('S15', { at: '100900' })
      await diary.send(trigger, { at: '100900', status: 'Bumped' })
      expect(diary.appointment()?.status).toBe('cancelled')
      expect(diary.appointment()?.slot).toBeUndefined()
      expect(diary.slots()).toEqual(['10T09:00 free'])
    },
  )

  it('keeps its slot where it takes place, and is booked where nobody knows it', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900', status: 'Bumped' })
    await diary.send('S14', { at: '100900', status: 'Bumped' })
    expect(diary.appointment()?.status).toBe('booked')
    expect(diary.slots()).toEqual(['10T09:00 busy'])
  })

  it('is booked again, with its slot, by a message that says so', async () => {
    const diary = new Diary()
    await diary.send('S12', { at: '100900' })
    await diary.send('S15', { at: '100900' })
    await diary.send('S14', { at: '100900', status: 'Booked' })
    expect(diary.appointment()).toMatchObject({ status: 'booked', slot: [{}] })
    expect(diary.slots()).toEqual(['10T09:00 busy'])
  })
})

it.each([
  ['Canceled', 'cancelled'],
  ['NO SHOW', 'noshow'],
  ['Arrived', 'arrived'],
  ['checked in', 'checked-in'],
  ['Completed', 'fulfilled'],
  ['Bumped', 'arrived'],
])('SCH-25 %s of an appointment for which somebody has arrived makes it %s', async (said, status) => {
  const diary = new Diary()
  await diary.send('S12', { at: '100900', status: 'Arrived' })
  await diary.send('S14', { at: '100900', status: said })
  expect(diary.appointment()?.status).toBe(status)
})
