import { describe, expect, it } from 'vitest'
import type { Account, Encounter, Patient } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import type { ChannelId } from './channel.ts'

type Sent = readonly [channel: ChannelId, type: string, ...segments: string[]]

const list = (numbers: string) => numbers.replaceAll(/\w+/g, '$&^^^CENTRAL^MR')
const person = (rest: string) => (numbers: string, account?: string) => {
  const [name = '', born = '', sex = ''] = rest.split('|')
  return segment('PID', { 3: list(numbers), 5: name, 7: born, 8: sex, ...(account && { 18: account }) })
}
const amina = person('RAMGOOLAM^Amina|19800115|F')
const adaeze = person('OKONKWO^Adaeze|19510213|F')
const torbjorn = person('LINDQVIST^Torbjorn|19780930|M')
const visit = (number: string, alternate = '') => segment('PV1', { 2: 'I', 19: number, 50: alternate })

const after = (...messages: readonly Sent[]): Promise<StagesWorld> => within(new StagesWorld(), messages)

async function within(world: StagesWorld, messages: readonly Sent[]): Promise<StagesWorld> {
  for (const message of messages) expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
  return world
}

const patients = (world: StagesWorld) =>
  world
    .all<Patient>('Patient')
    .map(({ name, identifier }) => [name?.[0]?.given?.[0], ...(identifier ?? []).map(({ value }) => value)].join(' '))

const nameOf = (world: StagesWorld, reference = '') =>
  world.all<Patient>('Patient').find(({ id }) => `Patient/${id}` === reference)?.name?.[0]?.given?.[0]

const visits = (world: StagesWorld) =>
  world
    .all<Encounter>('Encounter')
    .map(({ subject, identifier }) =>
      [nameOf(world, subject?.reference), ...(identifier ?? []).map(({ value }) => value)].join(' '),
    )

describe('a number of a patient that another record has', () => {
  it('stays with whom it was moved to (A43), though an older list names it, and is told of', async () => {
    const world = await after(
      ...[['adt', 'ADT^A28', amina('M1~M9')] as const, ['adt', 'ADT^A28', adaeze('M2')] as const],
      ['adt', 'ADT^A43', adaeze('M2'), `MRG|${list('M9')}`],
    )
    const late: Sent = ['adt', 'ADT^A08', amina('M1~M9'), visit('V1')]
    expect(await world.send(...late)).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    expect(patients(world)).toEqual(['Amina M1', 'Adaeze M2 M9'])
    // Found twice, every message under it would be refused from now on.
    expect(await world.send('adt', 'ADT^A31', adaeze('M9'))).toMatchObject({ status: 'SUCCESS', warnings: {} })
  })

  it('takes along a national number, and not that of somebody else who has it, too', async () => {
    const national = (pid: string) => pid.replace('^MR|', '^MR~N9^^^NAT^NI|')
    const world = await after(
      ...[amina('M1'), adaeze('M2')].map((pid) => ['adt', 'ADT^A28', national(pid)] as const),
      ['adt', 'ADT^A28', torbjorn('M3')],
      ['adt', 'ADT^A43', torbjorn('M3'), `MRG|${list('M1')}~N9^^^NAT^NI`],
    )
    expect(patients(world)).toEqual(['Amina', 'Adaeze M2 N9', 'Torbjorn M3 M1 N9'])
  })

  it('stays with the mother in whose list her child was never', async () => {
    const world = await after(['adt', 'ADT^A28', amina('M1')])
    const child = person('RAMGOOLAM^Dev|20260301|M')
    const born = await world.send('adt', 'ADT^A28', child('M2~M1'))
    expect(born).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    expect(patients(world)).toEqual(['Amina M1', 'Dev M2'])
    expect(await world.send('adt', 'ADT^A31', amina('M1'))).toMatchObject({ status: 'SUCCESS' })
  })

  it('stays with a record that was merged away, and nobody has to look', async () => {
    const world = await after(...[['adt', 'ADT^A28', amina('M1')] as const, ['adt', 'ADT^A28', amina('M2')] as const], [
      'adt',
      'ADT^A40',
      amina('M2'),
      `MRG|${list('M1')}`,
    ])
    for (const numbers of ['M2~M1', 'M1~M2'])
      expect(await world.send('adt', 'ADT^A31', amina(numbers))).toMatchObject({ status: 'SUCCESS', warnings: {} })
    expect(patients(world)).toEqual(['Amina M1', 'Amina M2'])
  })

  it('is nothing to look at where the record goes by a merge whose survivor names it, too', async () => {
    const world = await after(['adt', 'ADT^A28', amina('M1')], ['adt', 'ADT^A28', amina('M2')])
    const merge: Sent = ['adt', 'ADT^A40', amina('M2~M1'), `MRG|${list('M1')}`]
    for (const message of [merge, merge, ['adt', 'ADT^A31', amina('M1')] as const])
      expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS', warnings: {} })
    expect(world.all<Patient>('Patient').map(({ active }) => active)).toEqual([false, true])
  })
})

describe('the number of a patient under which a message has somebody else', () => {
  const result = segment('OBR', { 3: 'F-1', 4: 'K^Potassium^L', 25: 'F' })

  it.each<[string, Sent]>([
    ['an update', ['adt', 'ADT^A08', torbjorn('M1'), visit('V1')]],
    ['a result', ['oru', 'ORU^R01', torbjorn('M1'), result]],
    ['a deletion', ['adt', 'ADT^A29', torbjorn('M1')]],
    ['the record that stays of a merge', ['adt', 'ADT^A40', torbjorn('M1'), `MRG|${list('M2')}`]],
  ])(
    'is told of where name, birth date and sex are others, or refused where that is set: %s',
    async (_what, message) => {
      const known: readonly Sent[] = [
        ['adt', 'ADT^A28', amina('M1')],
        ['adt', 'ADT^A28', torbjorn('M2')],
      ]
      const lenient = await after(...known)
      expect(await lenient.send(...message)).toMatchObject({ status: 'SUCCESS', warnings: { 'other-person': 1 } })

      const world = await within(new StagesWorld({}, { otherPersonRefused: true }), known)
      const before = world.all<Patient>('Patient')
      expect(await world.send(...message)).toMatchObject({ status: 'ERROR', code: 'AE', errorCode: 'OTHER_PERSON' })
      expect(world.all<Patient>('Patient')).toEqual(before)
    },
  )

  it('is told of where name and birth date are: somebody may have been unknown until now', async () => {
    const world = await within(new StagesWorld({}, { otherPersonRefused: true }), [['adt', 'ADT^A28', amina('M1')]])
    const sent = await world.send('oru', 'ORU^R01', adaeze('M1'), result)
    expect(sent).toMatchObject({ status: 'SUCCESS', warnings: { 'other-person': 1 } })
    expect(await world.send('adt', 'ADT^A08', adaeze('M1'), visit('V1'))).toMatchObject({
      warnings: { 'other-person': 1 },
    })
    expect((await world.send('adt', 'ADT^A08', adaeze('M1'), visit('V1'))).warnings).not.toHaveProperty('other-person')
  })

  it.each([
    ['a name that is put right', 'RAMGULAM^Ameena|19750302|M'],
    ['names in each other’s place', 'AMINA^Ramgoolam|19750302|M'],
    ['an initial', 'OKONKWO^A|19750302|M'],
    ['a day and month in each other’s place', 'OKONKWO^Torbjorn|19801501|M'.replace('19801501', '19800151')],
    ['a birth date of which only the year is known', 'OKONKWO^Torbjorn|19510101|M'],
    ['no birth date', 'OKONKWO^Torbjorn||M'],
    ['no given name', 'OKONKWO|19510213|M'],
  ])('is theirs, with %s', async (_what, rest) => {
    const world = await after(['adt', 'ADT^A28', amina('M1')])
    const { status, warnings } = await world.send('adt', 'ADT^A31', person(rest)('M1'))
    expect([status, warnings['other-person']]).toEqual(['SUCCESS', undefined])
  })
})

describe('the number of a visit that another patient has', () => {
  const [mrg, ofAmina] = [`MRG|${list('M1')}||||V1`, amina('M1')]
  const admitted: readonly Sent[] = [
    ['adt', 'ADT^A01', ofAmina, visit('V1', 'A1')],
    ['adt', 'ADT^A01', torbjorn('M3'), visit('V9', 'A9')],
    ['adt', 'ADT^A28', adaeze('M2')],
  ]

  it.each<[string, Sent, string]>([
    ['A06', ['adt', 'ADT^A06', ofAmina, mrg, visit('V9')], 'Amina'],
    ['A50', ['adt', 'ADT^A50', ofAmina, mrg, visit('V9')], 'Amina'],
    ['A45', ['adt', 'ADT^A45', adaeze('M2'), mrg, visit('V9')], 'Adaeze'],
  ])('is told of when a visit gets it, and each stays the visit of its patient: %s', async (_event, message, whose) => {
    const world = await after(...admitted)
    expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    await world.send('adt', 'ADT^A03', whose === 'Amina' ? ofAmina : adaeze('M2'), visit('V9'))
    const [one, other] = world.all<Encounter>('Encounter')
    expect([one?.status, other?.status]).toEqual(['finished', 'in-progress'])
    expect(visits(world).map((shown) => shown.split(' ')[0])).toEqual([whose, 'Torbjorn'])
    const theirs = await world.send('adt', 'ADT^A08', torbjorn('M3'), visit('V9'))
    expect(theirs).toMatchObject({ status: 'SUCCESS', warnings: {} })
  })

  it('is told of when it is an alternate one (A51)', async () => {
    const world = await after(...admitted)
    const message: Sent = ['adt', 'ADT^A51', ofAmina, segment('MRG', { 1: list('M1'), 6: 'A1' }), visit('', 'A9')]
    expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
  })

  it('is told of when the visit itself becomes another patient’s by an event that is no move', async () => {
    const world = await after(...admitted)
    const moved = await world.send('adt', 'ADT^A08', ofAmina, visit('V9'))
    expect(moved).toMatchObject({ status: 'SUCCESS', warnings: { 'other-patient': 1 } })
    const back = await world.send('adt', 'ADT^A45', torbjorn('M3'), `MRG|${list('M1')}||||V9`, visit('V9'))
    expect(back).toMatchObject({ status: 'SUCCESS', warnings: {} })
    expect(visits(world)[1]).toMatch(/^Torbjorn/)
  })

  it('moves nothing of somebody whom the event does not name as who had it (A44, A45)', async () => {
    const world = await after(...admitted, ['adt', 'ADT^A08', torbjorn('M3', 'ACC'), visit('V9')])
    const before = visits(world)
    const refused = { status: 'ERROR', code: 'AE', errorCode: 'NUMBER_OF_ANOTHER' }
    const moveVisit: Sent = ['adt', 'ADT^A45', adaeze('M2'), `MRG|${list('M1')}||||V9`, visit('V9')]
    const moveAccount: Sent = ['adt', 'ADT^A44', adaeze('M2', 'ACC'), `MRG|${list('M1')}||ACC`]
    for (const message of [moveVisit, moveAccount]) expect(await world.send(...message)).toMatchObject(refused)
    expect(visits(world)).toEqual(before)
    await world.send('adt', 'ADT^A40', torbjorn('M4'), `MRG|${list('M3')}`)
    for (const message of [moveVisit, moveAccount].map((one) =>
      one.map((part) => part.replace(list('M1'), list('M3'))),
    ))
      expect(await world.send(...(message as unknown as Sent))).toMatchObject({ status: 'SUCCESS' })
  })
})

it('an account that was moved (A44) and is claimed again is that of both, and told of', async () => {
  const world = await after(
    ...[['adt', 'ADT^A01', amina('M1', 'ACC')] as const, ['adt', 'ADT^A28', adaeze('M2')] as const],
    ['adt', 'ADT^A44', adaeze('M2', 'ACC'), `MRG|${list('M1')}||ACC`],
  )
  const again: Sent = ['adt', 'ADT^A08', amina('M1', 'ACC')]
  expect(await world.send(...again)).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
  expect((await world.send(...again)).warnings).not.toHaveProperty('shared-number')
  const [account] = world.all<Account>('Account')
  expect(account?.subject?.map(({ reference }) => nameOf(world, reference))).toEqual(['Adaeze', 'Amina'])
})
