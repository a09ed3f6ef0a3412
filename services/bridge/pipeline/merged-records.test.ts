import { describe, expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import type { ChannelId } from './channel.ts'

type Sent = readonly [channel: ChannelId, type: string, ...segments: string[]]

const list = (numbers: string) => numbers.replaceAll(/\w+/g, '$&^^^CENTRAL^MR')
const amina = (number: string) => `PID|1||${list(number)}||RAMGOOLAM^Amina||19800115|F`

async function after(...messages: readonly Sent[]): Promise<StagesWorld> {
  const world = new StagesWorld()
  for (const message of messages) expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
  return world
}

describe('a merge (A40)', () => {
  const three: readonly Sent[] = ['M1', 'M2', 'M3'].map((number) => ['adt', 'ADT^A28', amina(number)] as const)
  const merge = (from: string, into: string): Sent => ['adt', 'ADT^A40', amina(into), `MRG|${list(from)}`]
  const survivors = (world: StagesWorld) =>
    world.all<Patient>('Patient').map(({ identifier, link = [] }) => {
      const into = link.flatMap(({ type, other }) => (type === 'replaced-by' ? [other.reference?.split('-')[1]] : []))
      return [identifier?.[0]?.value, ...into].join(' ')
    })

  it('takes every record that an MRG names, though one PID has several', async () => {
    const world = await after(...three, ['adt', 'ADT^A40', amina('M1'), `MRG|${list('M2')}`, `MRG|${list('M3')}`])
    expect(survivors(world)).toEqual(['M1', 'M2 1', 'M3 1'])
  })

  it('of a record that went elsewhere before counts as the last word, and is told of', async () => {
    const world = await after(...three, merge('M1', 'M2'))
    expect(await world.send(...merge('M1', 'M3'))).toMatchObject({ status: 'SUCCESS', warnings: { 'merged-again': 1 } })
    expect(survivors(world)).toEqual(['M1 3', 'M2', 'M3'])
    expect(await world.send(...merge('M1', 'M3'))).toMatchObject({ status: 'SUCCESS', warnings: {} })
  })

  it('of a record that has come to the same by another is nothing to look at', async () => {
    const world = await after(...three, merge('M1', 'M2'), merge('M2', 'M3'))
    expect(await world.send(...merge('M1', 'M3'))).toMatchObject({ status: 'SUCCESS', warnings: {} })
    expect(survivors(world)).toEqual(['M1 3', 'M2 3', 'M3'])
  })

  it('that is turned round lets the first stand again, and the other go', async () => {
    const world = await after(...three, merge('M1', 'M2'), merge('M2', 'M1'))
    expect(survivors(world)).toEqual(['M1', 'M2 1', 'M3'])
    const shown = ({ active, identifier, link }: Patient) => [
      active,
      identifier?.map(({ use }) => use),
      link?.map(({ type, other }) => [type, other.reference]),
    ]
    const golden = ['refer', 'Patient/golden-RAMGOOLAM']
    expect(world.all<Patient>('Patient').slice(0, 2).map(shown)).toEqual([
      [true, [undefined], [golden, ['replaces', 'Patient/patient-2']]],
      [false, ['old'], [golden, ['replaced-by', 'Patient/patient-1']]],
    ])
    await world.send('adt', 'ADT^A31', amina('M2').replace('Amina', 'Amy'))
    expect(world.all<Patient>('Patient').map(({ name }) => name?.[0]?.given?.[0])).toEqual(['Amy', 'Amina', 'Amina'])
    expect(await world.send(...merge('M2', 'M1'))).toMatchObject({ status: 'SUCCESS', warnings: {} })
    expect(survivors(world)).toEqual(['M1', 'M2 1', 'M3'])
  })

  it('that is turned round after another lets the first stand again, and all others follow it', async () => {
    const world = await after(...three, merge('M1', 'M2'), merge('M2', 'M3'), merge('M3', 'M1'))
    expect(survivors(world)).toEqual(['M1', 'M2 3', 'M3 1'])
    await world.send('adt', 'ADT^A31', amina('M2').replace('Amina', 'Amy'))
    expect(world.all<Patient>('Patient').map(({ name }) => name?.[0]?.given?.[0])).toEqual(['Amy', 'Amina', 'Amina'])
  })

  it.each([
    ['holds, though it comes late and something newer was said of the one who goes', 3, 4, 5, ['M1', 'M2 1']],
    ['changes nothing where it comes late and was said before the other', 4, 3, 5, ['M1 2', 'M2']],
  ])('that is turned round %s', async (_what, first, second, newer, expected) => {
    const said = (minute: number) => `EVN||20260304080${minute}00+0000`
    const told = ([channel, type, ...rest]: Sent, minute: number): Sent => [channel, type, said(minute), ...rest]
    const world = await after(
      ...three.slice(0, 2).map((one) => told(one, 0)),
      told(merge('M1', 'M2'), first),
      told(['adt', 'ADT^A31', amina('M2'), 'NK1|1|DIOP^Awa|SPO'], newer),
      told(merge('M2', 'M1'), second),
    )
    expect(survivors(world)).toEqual(expected)
    const inUse = world.all<Patient>('Patient').filter(({ active }) => active)
    expect(inUse).toHaveLength(1)
  })

  it('that comes late holds, though something newer was said of either record', async () => {
    const said = (minute: number) => `EVN||20260304080${minute}00+0000`
    const world = await after(
      ...['M1', 'M2'].map((number) => ['adt', 'ADT^A28', said(0), amina(number)] as const),
      ...['M1', 'M2'].map((number) => ['adt', 'ADT^A31', said(3), amina(number), 'NK1|1|DIOP^Awa|SPO'] as const),
      ['adt', 'ADT^A40', said(2), amina('M2'), `MRG|${list('M1')}`],
    )
    const shown = () => world.all<Patient>('Patient').map(({ active, link = [] }) => [active, link.at(-1)?.type])
    const merged = [
      [false, 'replaced-by'],
      [true, 'replaces'],
    ]
    expect(shown()).toEqual(merged)
    await world.send('adt', 'ADT^A31', said(1), amina('M1').replace('Amina', 'Amy'))
    expect(world.all<Patient>('Patient').map(({ name }) => name?.[0]?.given)).toEqual([['Amina'], ['Amina']])
    await world.send('adt', 'ADT^A31', said(4), amina('M1').replace('Amina', 'Amy'))
    expect(world.all<Patient>('Patient').map(({ name }) => name?.[0]?.given)).toEqual([['Amina'], ['Amy']])
    expect(shown()).toEqual(merged)
  })

  it('that is older than another of the same record changes nothing', async () => {
    const said = (minute: number) => `EVN||20260304080${minute}00+0000`
    const newer: Sent = ['adt', 'ADT^A40', said(3), amina('M3'), `MRG|${list('M1')}`]
    const world = await after(
      ...three.map(([channel, type, ...rest]) => [channel, type, said(0), ...rest] as const),
      newer,
    )
    await world.send('adt', 'ADT^A40', said(2), amina('M2'), `MRG|${list('M1')}`)
    expect(survivors(world)).toEqual(['M1 3', 'M2', 'M3'])
  })

  it('ends nobody else who has a national number that MRG-1 names, too', async () => {
    const both = `${list('M2')}~N5^^^NAT^NI`
    const other = amina('M5').replace('^MR', '^MR~N5^^^NAT^NI')
    const world = await after(...three, ['adt', 'ADT^A28', other], ['adt', 'ADT^A40', amina('M1'), `MRG|${both}`])
    expect(survivors(world)).toEqual(['M1', 'M2 1', 'M3', 'M5'])
    expect(world.all<Patient>('Patient')[1]?.identifier).toMatchObject([{ value: 'M2' }, { value: 'N5', use: 'old' }])
    const twice: readonly Sent[] = [
      ['adt', 'ADT^A31', other],
      ['adt', 'ADT^A40', amina('M1'), `MRG|${both}`],
    ]
    for (const message of twice) expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
    expect(survivors(world)).toEqual(['M1', 'M2 1', 'M3', 'M5'])
  })

  it('that names a national number alone takes a record of its sender, and none of another facility', async () => {
    const numbered = (...numbers: readonly string[]) => amina('M1').replace('M1^^^CENTRAL^MR', numbers.join('~'))
    const national: Sent = ['adt', 'ADT^A40', amina('M1'), 'MRG|N5^^^NAT^NI']
    const known: Sent = ['adt', 'ADT^A28', amina('M1')]
    const own = await after(known, ['adt', 'ADT^A28', numbered('M5^^^CENTRAL^MR', 'N5^^^NAT^NI')], national)
    expect(survivors(own)).toEqual(['M1', 'M5 1'])
    const theirs = await after(known, ['adt', 'ADT^A28', numbered('L5^^^LAKESIDE^MR', 'N5^^^NAT^NI')])
    expect(await theirs.send(...national)).toMatchObject({ code: 'AE', errorCode: 'NUMBER_OF_ANOTHER' })
    expect(survivors(theirs)).toEqual(['M1', 'L5'])
    const itself = await after(
      ['adt', 'ADT^A28', numbered('M1^^^CENTRAL^MR', 'L5^^^LAKESIDE^MR', 'N5^^^NAT^NI')],
      national,
    )
    expect(survivors(itself)).toEqual(['M1'])
  })

  it('has a name that MRG-7 says twice once', async () => {
    const names = 'RAMGOOLAM^Mina'
    const world = await after(...three, ['adt', 'ADT^A40', amina('M1'), `MRG|${list('M2')}||||||${names}~${names}`])
    expect(world.all<Patient>('Patient')[1]?.name).toHaveLength(2)
  })
})
