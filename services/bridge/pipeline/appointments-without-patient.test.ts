import { describe, expect, it } from 'vitest'
import type { Appointment, Patient } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const amina = 'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'
const adaeze = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
const sch = segment('SCH', { 2: 'F1^S', 9: '30', 10: 'MIN', 11: '^^30^20260310090000' })
const doctor = ['RGS|1', 'AIP|1||1234^SMITH^JOHN']

/** With an appointment of these patients, who refuse nothing until somebody is put into the set. */
async function withBooking(...patients: readonly string[]) {
  const refusing = new Set<string>()
  const world = new StagesWorld({}, { refusing })
  expect(await world.send('siu', 'SIU^S12', sch, ...patients, ...doctor)).toMatchObject({ status: 'SUCCESS' })
  const tell = (trigger: string, ...whom: readonly string[]) =>
    world.sendAsIs('siu', `SIU^${trigger}`, sch, ...whom, ...doctor)
  const idOf = (family: string) =>
    world.all<Patient>('Patient').find(({ name }) => name?.[0]?.family === family)?.id ?? ''
  const status = () => world.all<Appointment>('Appointment').map((one) => one.status)
  return { world, refusing, tell, idOf, status }
}

const denied = { status: 'ERROR', code: 'AR', errorCode: 'CONSENT_DENIED' }

describe('a message about an appointment that does not say whose it is', () => {
  it.each(['S14', 'S15', 'S17', 'S18', 'S26'])('is refused where who has it refuses: %s', async (trigger) => {
    const { refusing, tell, idOf, status } = await withBooking(amina)
    refusing.add(idOf('RAMGOOLAM'))
    expect(await tell(trigger)).toMatchObject({
      ...denied,
      refusal: { patientId: idOf('RAMGOOLAM'), resourceType: 'Appointment', operation: 'UPDATE' },
    })
    expect(status()).toEqual(['booked'])
  })

  it('is refused where they refuse on their golden record', async () => {
    const { refusing, tell, status } = await withBooking(amina)
    refusing.add('golden-RAMGOOLAM')
    expect(await tell('S15')).toMatchObject(denied)
    expect(status()).toEqual(['booked'])
  })

  it('is refused where the one into whom they were merged refuses', async () => {
    const { world, refusing, tell, idOf } = await withBooking(amina)
    await world.send('adt', 'ADT^A28', adaeze)
    await world.send('adt', 'ADT^A40', adaeze, 'MRG|M1^^^CENTRAL^MR')
    refusing.add(idOf('OKONKWO'))
    expect(await tell('S15')).toMatchObject(denied)
  })

  it('is told in their name where they permit it', async () => {
    const { tell, idOf, status } = await withBooking(amina)
    expect(await tell('S15')).toMatchObject({
      ...{ status: 'SUCCESS', patient: `Patient/${idOf('RAMGOOLAM')}`, goldenPatientId: 'golden-RAMGOOLAM' },
    })
    expect(status()).toEqual(['cancelled'])
  })

  it('is told in their name also where somebody else wrote in between', async () => {
    const { world, tell, idOf, status } = await withBooking(amina)
    const [booked] = world.all<Appointment>('Appointment')
    if (booked?.id === undefined) throw new Error('there is no appointment')
    const { id } = booked
    world.store.beforeNextWrite(() => world.store.update({ ...booked, id, comment: 'by telephone' }))
    expect(await tell('S15')).toMatchObject({ status: 'SUCCESS', patient: `Patient/${idOf('RAMGOOLAM')}` })
    expect(status()).toEqual(['cancelled'])
  })
})

describe('a message about an appointment that names some of those whose it is', () => {
  it('is refused where another of them refuses', async () => {
    const { refusing, tell, idOf, status } = await withBooking(amina, adaeze)
    refusing.add(idOf('OKONKWO'))
    expect(await tell('S15', amina)).toMatchObject({ ...denied, refusal: { patientId: idOf('OKONKWO') } })
    expect(status()).toEqual(['booked'])
  })

  it('is refused where the record whose it is refuses, though it names another record of the same person', async () => {
    const { world, refusing, tell, idOf, status } = await withBooking(amina)
    await world.send('adt', 'ADT^A28', amina.replace('M1', 'M5'))
    refusing.add(idOf('RAMGOOLAM'))
    expect(await tell('S15', amina.replace('M1', 'M5'))).toMatchObject({
      ...{ ...denied, refusal: { patientId: idOf('RAMGOOLAM') } },
    })
    expect(status()).toEqual(['booked'])
  })

  it('tells of all of them, the one that it names first', async () => {
    const { tell, idOf } = await withBooking(amina, adaeze)
    expect(await tell('S15', adaeze)).toMatchObject({
      ...{ status: 'SUCCESS', patient: `Patient/${idOf('OKONKWO')}` },
      otherPatients: [{ patient: `Patient/${idOf('RAMGOOLAM')}`, goldenPatientId: 'golden-RAMGOOLAM' }],
    })
  })

  it('asks nobody whose it was by mistake, and each person once', async () => {
    const { world, refusing, tell, idOf } = await withBooking(amina)
    refusing.add(idOf('RAMGOOLAM'))
    expect(await tell('S14', adaeze)).toMatchObject({ status: 'SUCCESS' })
    const participants = world.all<Appointment>('Appointment').map(({ participant }) => participant.length)
    expect(participants).toEqual([2])
    expect(await tell('S15', adaeze)).not.toHaveProperty('otherPatients')
  })
})
