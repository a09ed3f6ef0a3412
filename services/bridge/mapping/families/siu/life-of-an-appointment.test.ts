import { describe, expect, it } from 'vitest'
import type { Appointment, Slot } from '../../../../../packages/fhir/r4.ts'
import { mapInPasses } from '../../testing/map-in-passes.ts'
import { SmallStore } from '../../testing/small-store.ts'

/** Sends messages one after the other and looks at what is stored. */
class Diary {
  readonly store = new SmallStore()
  #controlId = 0

  send(trigger: string, { number = 'A1', at, patient = '1', doctor = '2001', reason = '' }: Sent = {}): void {
    const time = at === undefined ? '' : `^^30^202603${at}^`
    const mapping = mapInPasses(
      [
        `MSH|^~\\&|SCHED|CENTRAL|||20260304101500||SIU^${trigger}|${++this.#controlId}|P|2.5.1`,
        `SCH||${number}^SCHED||||${reason}|||30|MIN|${time}`,
        ...(patient === '' ? [] : [`PID|1||${patient}^^^CENTRAL^MR||Diallo^Amina`]),
        ...(doctor === ''
          ? []
          : [
              'RGS|1',
              `AIP|1||${doctor}^Okafor^Chidi^^^^^^CENTRAL|||${at === undefined ? '' : `202603${at}`}|||30|MIN`,
            ]),
      ].join('\r'),
    )
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    this.store.apply(mapping)
  }

  appointment(): Appointment | undefined {
    return this.store.ofType<Appointment>('Appointment')[0]
  }

  /** `10T09:00 busy` */
  slots(): string[] {
    return this.store
      .ofType<Slot>('Slot')
      .map(({ start, status }) => `${start.slice(8, 16)} ${status}`)
      .toSorted()
  }
}

interface Sent {
  readonly number?: string
  readonly at?: string
  /** Without one, the message has no PID. */
  readonly patient?: string
  readonly doctor?: string
  readonly reason?: string
}

describe('an appointment', () => {
  it('frees the slot that it leaves and takes the one it goes to', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    expect(diary.slots()).toEqual(['10T09:00 busy'])
    diary.send('S13', { at: '111000' })
    expect(diary.slots()).toEqual(['10T09:00 free', '11T10:00 busy'])
    expect(diary.appointment()).toMatchObject({ status: 'booked', start: '2026-03-11T10:00:00+04:00' })
    expect(diary.appointment()?.slot).toHaveLength(1)
    diary.send('S13', { at: '100900' })
    expect(diary.slots()).toEqual(['10T09:00 busy', '11T10:00 free'])
  })

  it('that is called off frees its slot for the next one', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    diary.send('S15', { at: '100900', reason: 'ILL^Ill' })
    expect(diary.appointment()).toMatchObject({ status: 'cancelled', cancelationReason: { text: 'Ill' } })
    expect(diary.slots()).toEqual(['10T09:00 free'])
    diary.send('S12', { number: 'A2', at: '100900' })
    expect(diary.slots()).toEqual(['10T09:00 busy'])
    // A late repetition of the first cancellation does not free what the second one took.
    diary.send('S15', { at: '100900' })
    expect(diary.slots()).toEqual(['10T09:00 busy'])
  })

  it('that is booked again has no reason for its cancellation', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    diary.send('S15', { reason: 'ILL^Ill' })
    diary.send('S14', { at: '100900' })
    expect(diary.appointment()?.status).toBe('booked')
    expect(diary.appointment()?.cancelationReason).toBeUndefined()
  })

  it('keeps its time, people and status when a change says nothing of them', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    diary.send('S14', { doctor: '' })
    expect(diary.appointment()).toMatchObject({ status: 'booked', start: '2026-03-10T09:00:00+04:00' })
    expect(diary.appointment()?.participant).toHaveLength(2)
    expect(diary.slots()).toEqual(['10T09:00 busy'])
  })

  it('keeps its patient when a change names another doctor and no patient', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    const [patient, doctor] = diary.appointment()?.participant ?? []
    diary.send('S14', { at: '100900', patient: '', doctor: '2002' })
    const changed = diary.appointment()?.participant ?? []
    expect(changed.map(({ actor }) => actor?.type)).toEqual(['Patient', 'Practitioner'])
    expect(changed[0]).toEqual(patient)
    expect(changed[1]?.actor?.reference).not.toBe(doctor?.actor?.reference)
  })

  it('is for the patient whom a change names', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    const [patient] = diary.appointment()?.participant ?? []
    diary.send('S14', { at: '100900', patient: '2' })
    const changed = diary.appointment()?.participant ?? []
    expect(new Set(changed.map(({ actor }) => actor?.type))).toEqual(new Set(['Patient', 'Practitioner']))
    expect(changed.map(({ actor }) => actor?.reference)).not.toContain(patient?.actor?.reference)
  })

  it('loses a resource that is cancelled, and keeps the patient', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    diary.send('S20', { at: '100900' })
    expect(diary.appointment()?.participant.map(({ actor }) => actor?.type)).toEqual(['Patient'])
    expect(diary.slots()).toEqual(['10T09:00 free'])
  })

  it('is marked when nobody came, or when it should not have been', () => {
    const diary = new Diary()
    diary.send('S12', { at: '100900' })
    diary.send('S26', { doctor: '' })
    expect(diary.appointment()?.status).toBe('noshow')
    diary.send('S17', { doctor: '' })
    expect(diary.appointment()?.status).toBe('entered-in-error')
  })
})
