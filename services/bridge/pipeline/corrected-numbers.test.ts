import { describe, expect, it } from 'vitest'
import type { DiagnosticReport, Patient } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import type { ChannelId } from './channel.ts'

type Sent = readonly [channel: ChannelId, type: string, ...segments: string[]]

/** `M1 N1^NI H1^HC` */
const list = (numbers: string) =>
  numbers
    .split(' ')
    .map((number) => {
      const [value, type = 'MR'] = number.split('^')
      return `${value}^^^${type === 'MR' ? 'CENTRAL' : 'STATE'}^${type}`
    })
    .join('~')
const amina = (numbers: string, rest: Readonly<Record<number, string>> = {}) =>
  segment('PID', { 3: list(numbers), 5: 'RAMGOOLAM^Amina', 7: '19800115', 8: 'F', ...rest })
const torbjorn = (numbers: string) =>
  segment('PID', { 3: list(numbers), 5: 'LINDQVIST^Torbjorn', 7: '19780930', 8: 'M' })

async function after(world: StagesWorld, ...messages: readonly Sent[]): Promise<StagesWorld> {
  for (const message of messages) expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
  return world
}

const patients = (world: StagesWorld) =>
  world.all<Patient>('Patient').map(({ name, identifier = [] }) => {
    const numbers = identifier.map(({ value, use }) => (use === 'old' ? `(${value})` : value))
    return [name?.[0]?.given?.[0], ...numbers].join(' ')
  })

const registered: Sent = ['adt', 'ADT^A28', amina('M1 N1^NI')]
const told = { 'other-national-number': 1 }

describe('a national number that was mistyped', () => {
  it.each(['ADT^A08', 'ADT^A31', 'ADT^A01'])('is corrected by %s, and told of', async (event) => {
    const world = await after(new StagesWorld(), registered)
    expect(await world.send('adt', event, amina('M1 N2^NI'))).toMatchObject({ status: 'SUCCESS', warnings: told })
    expect(patients(world)).toEqual(['Amina M1 N2'])
    // Said once more, it is known.
    expect((await world.send('adt', event, amina('M1 N2^NI'))).warnings).toEqual({})
  })

  it('no longer finds the patient for whoever has it', async () => {
    const world = await after(new StagesWorld(), ...[registered, ['adt', 'ADT^A31', amina('M1 N2^NI')] as const], [
      'adt',
      'ADT^A31',
      torbjorn('N1^NI'),
    ])
    expect(patients(world)).toEqual(['Amina M1 N2', 'Torbjorn N1'])
  })

  it('is corrected back', async () => {
    const messages = ['M1 N2^NI', 'M1 N1^NI'].map((numbers) => ['adt', 'ADT^A08', amina(numbers)] as const)
    expect(patients(await after(new StagesWorld(), registered, ...messages))).toEqual(['Amina M1 N1'])
  })

  it('is corrected in PID-19, too', async () => {
    const world = await after(new StagesWorld({}, { settings: { realm: 'US' } }), [
      'adt',
      'ADT^A28',
      amina('M1', { 19: '111' }),
    ])
    await after(world, ['adt', 'ADT^A31', amina('M1', { 19: '222' })])
    expect(patients(world)).toEqual(['Amina M1 222'])
  })

  it('stays gone, whatever a message that comes late or only mentions the patient says', async () => {
    const late: Sent = ['adt', 'ADT^A08', 'EVN|A08|20250101100000+0000', amina('M1 N1^NI')]
    const result = segment('OBR', { 3: 'F-1', 4: 'K^Potassium^L', 25: 'F' })
    const world = await after(new StagesWorld(), registered, ['adt', 'ADT^A31', amina('M1 N2^NI')])
    for (const message of [late, ['oru', 'ORU^R01', amina('M1 N1^NI'), result] as const])
      expect((await world.send(...message)).warnings).not.toHaveProperty('other-national-number')
    expect(patients(world)).toEqual(['Amina M1 N2'])
  })

  it('is one record still where patients are found by it, whichever number stands first', async () => {
    const settings = { nationalIdSystem: 'https://corridor.example/id/CENTRAL/STATE' }
    for (const [first, second] of [
      ['M1 N1^NI', 'M1 N2^NI'],
      ['N1^NI M1', 'N2^NI M1'],
    ] as const) {
      const world = await after(
        new StagesWorld({}, { settings }),
        ...[first, second].map((numbers) => ['adt', 'ADT^A31', amina(numbers)] as const),
        ...['M1 N2^NI', 'N2^NI'].map((numbers) => ['adt', 'ADT^A31', amina(numbers)] as const),
      )
      expect(patients(world)).toEqual(['Amina M1 N2'])
    }
  })
})

describe('a national number that somebody else has, where patients are found by it', () => {
  const settings = { nationalIdSystem: 'https://corridor.example/id/CENTRAL/STATE' }
  const zahra = (numbers: string) => amina(numbers).replace('RAMGOOLAM^Amina', 'OKONKWO^Zahra')
  const two = () => after(new StagesWorld({}, { settings }), registered, ['adt', 'ADT^A28', zahra('M2 N2^NI')])

  it('does not make one the other, and two that were mistaken are put right one after the other', async () => {
    const world = await two()
    expect((await world.send('adt', 'ADT^A08', amina('M1 N2^NI'))).warnings).toMatchObject(told)
    expect(patients(world)).toEqual(['Amina M1 N2', 'Zahra M2 N2'])
    // Nobody can say whose this is.
    expect(await world.send('adt', 'ADT^A08', zahra('N2^NI'))).toMatchObject({ code: 'AE' })
    await after(
      world,
      ['adt', 'ADT^A08', amina('M1 N2^NI', { 11: '9 Long St' })],
      ['adt', 'ADT^A08', zahra('M2 N2^NI')],
    )
    expect((await world.send('adt', 'ADT^A08', zahra('M2 N1^NI'))).warnings).toMatchObject(told)
    expect(patients(world)).toEqual(['Amina M1 N2', 'Zahra M2 N1'])
    await after(world, ['adt', 'ADT^A31', amina('N2^NI')], ['adt', 'ADT^A31', zahra('N1^NI')])
    expect(patients(world)).toEqual(['Amina M1 N2', 'Zahra M2 N1'])
  })

  it('is put right for twins who are told of as such, too', async () => {
    const twin = (name: string) => (numbers: string) => amina(numbers, { 24: 'Y' }).replace('Amina', name)
    const [noor, fleur] = [twin('Noor'), twin('Fleur')]
    const world = await after(
      new StagesWorld({}, { settings }),
      ...[noor('M1 N1^NI'), fleur('M2 N2^NI'), noor('M1 N2^NI'), fleur('M2 N1^NI')].map(
        (pid) => ['adt', 'ADT^A31', pid] as const,
      ),
    )
    expect(patients(world)).toEqual(['Noor M1 N2', 'Fleur M2 N1'])
  })

  it('brings no results of one to the other', async () => {
    const world = await two()
    await after(world, ['oru', 'ORU^R01', amina('M1 N2^NI'), segment('OBR', { 3: 'F-1', 4: 'K^Potassium^L', 25: 'F' })])
    const [one] = world.all<Patient & { readonly id: string }>('Patient')
    expect(world.all<DiagnosticReport>('DiagnosticReport')[0]?.subject?.reference).toBe(`Patient/${one?.id}`)
    expect(patients(world)).toEqual(['Amina M1 N1', 'Zahra M2 N2'])
  })

  it.each<[string, readonly Sent[], string]>([
    ['by its second number', [['adt', 'ADT^A28', amina('M1 M7 N1^NI')]], 'M7 N2^NI'],
    [
      'by its old number (A47)',
      [
        ['adt', 'ADT^A28', amina('M1 N1^NI')],
        ['adt', 'ADT^A47', amina('M7'), `MRG|${list('M1')}`],
      ],
      'M1 N2^NI',
    ],
    [
      'by the numbers of two records of hers',
      [
        ['adt', 'ADT^A28', amina('M1 N1^NI')],
        ['adt', 'ADT^A28', amina('M7')],
      ],
      'M7 M1 N2^NI',
    ],
    [
      'beside the number of her mother',
      [
        ['adt', 'ADT^A28', amina('M1 N1^NI')],
        ['adt', 'ADT^A28', amina('M8').replace('Amina', 'Awa').replace('19800115', '19550505')],
      ],
      'M1 M8 N2^NI',
    ],
  ])('does not make one the other who is named %s', async (_how, known, numbers) => {
    const world = await after(new StagesWorld({}, { settings }), ...known, ['adt', 'ADT^A28', zahra('M2 N2^NI')])
    const discharge = ['adt', 'ADT^A03', amina(numbers, { 30: 'Y' }), segment('PV1', { 2: 'I', 19: 'V1' })] as const
    await after(world, discharge, ['adt', 'ADT^A31', amina(numbers, { 11: '9 Long St' })])
    const dead = world.all<Patient>('Patient').filter(({ deceasedBoolean }) => deceasedBoolean)
    expect(dead.map(({ name }) => name?.[0]?.given?.[0])).toEqual(['Amina'])
    expect(patients(world)).toContain('Zahra M2 N2')
  })

  it('is the record that has it, where that is of the same person', async () => {
    const world = await after(new StagesWorld({}, { settings }), registered, ['adt', 'ADT^A28', amina('M2 N2^NI')])
    await after(world, ['adt', 'ADT^A08', amina('M1 N2^NI')])
    expect(patients(world)).toEqual(['Amina M1 N1', 'Amina M2 N2'])
  })
})

describe('a visit of which something was said since', () => {
  it('does not keep the correction that comes with it from being told of', async () => {
    const said = (minute: number) => `EVN||20260304080${minute}00+0000`
    const visit = (ward: string) => segment('PV1', { 2: 'I', 3: ward, 19: 'V1' })
    const world = await after(
      new StagesWorld(),
      ['adt', 'ADT^A01', said(1), amina('M1 N1^NI'), visit('W1')],
      ['adt', 'ADT^A02', said(5), amina('M1'), visit('W2')],
    )
    const late = await world.send('adt', 'ADT^A08', said(3), amina('M1 N2^NI'), visit('W1'))
    expect(late).toMatchObject({ status: 'SUCCESS', isStale: true, warnings: told })
    expect(patients(world)).toEqual(['Amina M1 N2'])
  })
})

describe('who has not heard of a merge (A40)', () => {
  const merged = (mrg: string) =>
    after(
      new StagesWorld(),
      registered,
      ['adt', 'ADT^A28', amina('M2 N2^NI')],
      ['adt', 'ADT^A40', amina('M1 N1^NI'), `MRG|${list(mrg)}`],
    )

  it.each([
    ['the one that the record had', 'M2', 'M2 N2^NI', 'Amina (M2) N2'],
    ['the one that went with the record', 'M2 N2^NI', 'M2 N2^NI', 'Amina (M2) (N2)'],
    ['yet another', 'M2', 'M2 N3^NI', 'Amina (M2) N2'],
  ])('takes no national number from the survivor by %s', async (_what, mrg, said, gone) => {
    const world = await merged(mrg)
    expect((await world.send('adt', 'ADT^A31', amina(said))).warnings).toEqual({})
    expect(patients(world)).toEqual(['Amina M1 N1', gone])
  })

  it('is nobody who names a number of the survivor, too', async () => {
    const world = await merged('M2')
    expect((await world.send('adt', 'ADT^A31', amina('M2 M1 N3^NI'))).warnings).toEqual(told)
    expect(patients(world)).toEqual(['Amina M1 N3', 'Amina (M2) N2'])
  })

  it('gives the survivor the national number that they had none of', async () => {
    const world = await after(
      new StagesWorld(),
      ...(['M1', 'M2 N2^NI'] as const).map((numbers) => ['adt', 'ADT^A28', amina(numbers)] as const),
      ['adt', 'ADT^A40', amina('M1'), `MRG|${list('M2')}`],
      ['adt', 'ADT^A31', amina('M2 N2^NI')],
    )
    expect(patients(world)).toEqual(['Amina M1 N2', 'Amina (M2) N2'])
  })
})

describe('who has not heard of a merge (A40), where patients are found by the national number', () => {
  const settings = { nationalIdSystem: 'https://corridor.example/id/CENTRAL/STATE' }
  const zahra = amina('M3 N3^NI').replace('RAMGOOLAM^Amina', 'OKONKWO^Zahra')
  const merged = () =>
    after(
      new StagesWorld({}, { settings }),
      ...[amina('M1'), amina('M2'), zahra].map((pid) => ['adt', 'ADT^A28', pid] as const),
      ['adt', 'ADT^A40', amina('M1'), `MRG|${list('M2')}`],
    )

  it('speaks of the survivor, also with a national number that nobody has yet', async () => {
    const world = await after(await merged(), ['adt', 'ADT^A31', amina('M2 N2^NI')])
    expect(patients(world)).toEqual(['Amina M1 N2', 'Amina (M2)', 'Zahra M3 N3'])
  })

  it.each(['ADT^A31', 'ADT^A03'])('speaks of nobody else, also with the national number of one: %s', async (event) => {
    const world = await merged()
    await after(world, ['adt', event, amina('M2 N3^NI', { 30: 'Y' }), segment('PV1', { 2: 'I', 19: 'V1' })])
    const died = world.all<Patient>('Patient').map(({ deceasedBoolean }) => deceasedBoolean)
    expect(died).toEqual([true, undefined, undefined])
  })

  it('is somebody else where the name or the birth date is another', async () => {
    const world = await after(await merged(), ['adt', 'ADT^A31', amina('M2 N2^NI', { 7: '20010203' })])
    expect(patients(world)).toEqual(['Amina M1', 'Amina (M2)', 'Zahra M3 N3', 'Amina N2'])
  })
})

describe('what is written where nobody knows the number', () => {
  const nobodys = ['0', '000-00-0000', '999-99-9999', 'UNKNOWN', 'n/a']

  it.each(nobodys)('takes the place of none: %s', async (nobody) => {
    const world = await after(new StagesWorld(), registered)
    expect((await world.send('adt', 'ADT^A31', amina(`M1 ${nobody}^NI`))).warnings).toEqual({})
    expect(patients(world)).toEqual([`Amina M1 N1 ${nobody}`])
  })

  it.each(nobodys)('finds nobody where patients are found by the national number: %s', async (nobody) => {
    const settings = { nationalIdSystem: 'https://corridor.example/id/CENTRAL/STATE' }
    const strangers = [amina(`M1 ${nobody}^NI`), torbjorn(`${nobody}^NI M2`)]
    const world = await after(
      new StagesWorld({}, { settings }),
      ...strangers.map((pid) => ['adt', 'ADT^A28', pid] as const),
      ...strangers.map((pid) => ['adt', 'ADT^A31', pid] as const),
    )
    expect(patients(world)).toEqual([`Amina M1 ${nobody}`, `Torbjorn ${nobody} M2`])
  })

  it.each(nobodys)('is no number to find or merge somebody by, whatever its type: %s', async (nobody) => {
    const settings = { nationalIdSystem: 'https://corridor.example/id/CENTRAL/STATE' }
    const untyped = (one: string) => one.replace('^^^STATE^NI', '^^^STATE')
    for (const written of [amina(`${nobody}^NI M1`), untyped(amina(`${nobody}^NI M1`))]) {
      const world = await after(new StagesWorld({}, { settings }), ['adt', 'ADT^A28', written])
      for (const alone of [torbjorn(`${nobody}^NI`), untyped(torbjorn(`${nobody}^NI`))])
        expect(await world.send('adt', 'ADT^A31', alone)).toMatchObject({ code: 'AE' })
      await after(world, ['adt', 'ADT^A31', untyped(torbjorn(`${nobody}^NI M2`))])
      expect(await world.send('adt', 'ADT^A40', torbjorn('M2'), `MRG|${list(`${nobody}^NI`)}`)).toMatchObject({
        code: 'AE',
      })
      expect(patients(world)).toEqual([`Amina ${nobody} M1`, `Torbjorn ${nobody} M2`])
    }
  })

  it.each(nobodys)('leaves when it is known, and nobody has to look: %s', async (nobody) => {
    const world = await after(new StagesWorld(), ['adt', 'ADT^A28', amina(`M1 ${nobody}^NI`)])
    expect((await world.send('adt', 'ADT^A31', amina('M1 N1^NI'))).warnings).toEqual({})
    expect(patients(world)).toEqual(['Amina M1 N1'])
  })
})

describe('what stays beside a national number of a message', () => {
  it.each([
    ['one that it does not name another of', 'M1 N1^NI', 'M1', 'M1 N1'],
    ['one of another kind', 'M1 N1^NI', 'M1 H2^HC', 'M1 N1 H2'],
    ['one that it names as well', 'M1 N1^NI', 'M1 N2^NI N1^NI', 'M1 N1 N2'],
    ['the same, written otherwise', 'M1 12345^NI', 'M1 123-45^NI', 'M1 12345 123-45'],
    ['a passport, of which people have several', 'M1 P1^PPN', 'M1 P2^PPN', 'M1 P1 P2'],
    ['a number of a record', 'M1 M2', 'M1 N1^NI', 'M1 M2 N1'],
  ])('is %s', async (_what, before, said, expected) => {
    const world = await after(new StagesWorld(), ['adt', 'ADT^A28', amina(before)])
    expect((await world.send('adt', 'ADT^A31', amina(said))).warnings).toEqual({})
    expect(patients(world)).toEqual([`Amina ${expected}`])
  })

  it('is one that was changed (A47), marked as old, though somebody who has not heard of it names it', async () => {
    const world = await after(
      new StagesWorld(),
      registered,
      ['adt', 'ADT^A47', amina('M1 N2^NI'), `MRG|${list('M1 N1^NI')}`],
      ['adt', 'ADT^A31', amina('M1 N1^NI')],
    )
    expect(patients(world)[0]?.split(' ').toSorted()).toEqual(['(N1)', 'Amina', 'M1', 'N2'])
  })
})
