import { describe, expect, it } from 'vitest'
import type { Composition, DocumentReference } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const [told, edited, replacing, withdrawn] = ['T02', 'T08', 'T10', 'T11'] as const

/** What is said of a document: of `B<A` that it replaces A, of `A/OB` that it is obsolete. Each is said an hour after the one before, and received when all have been. */
function message(said: string, hour: number): readonly ['mdm', string, ...string[]] {
  const [trigger = '', names = ''] = said.split(':')
  const [number = '', parent = ''] = names.split('<')
  const [bare = '', availability = ''] = number.split('/')
  const txa = segment('TXA', {
    ...{ 2: 'DS^Summary', 3: 'FT', 6: '20260304100000', 12: `${bare}^TRANS`, 17: 'AU', 19: availability },
    ...(parent === '' ? {} : { 13: `${parent}^TRANS` }),
  })
  const words = trigger === withdrawn || trigger === 'T03' ? [] : [`OBX|1|TX|11493-4^Course^LN||${said}`]
  return ['mdm', `MDM^${trigger}`, `EVN||202603040${hour}0000+0000`, txa, ...words]
}

/** Their states by their numbers, with what they hold, and what their text says and whether it is signed. */
async function after(chain: readonly string[], order: readonly number[]) {
  const world = new StagesWorld()
  for (const at of order)
    expect(await world.send(...message(chain[at] ?? '', at + 1))).toMatchObject({ status: 'SUCCESS' })
  const texts = new Map(
    world
      .all<Composition>('Composition')
      .map(({ identifier, status, section }) => [
        identifier?.value,
        `${status} ${/<p>(.*)<\/p>/.exec(section?.[0]?.text?.div ?? '')?.[1]}`,
      ]),
  )
  return Object.fromEntries(
    world
      .all<DocumentReference>('DocumentReference')
      .map(({ masterIdentifier: { value = '' } = {}, status, docStatus, content }) => {
        const held = content.map(({ attachment: { data = '' } }) => Buffer.from(data, 'base64').toString())
        return [value, `${status}, ${docStatus}, holds ${held.join()}, text ${texts.get(value)}`] as const
      })
      .toSorted(([one], [other]) => one.localeCompare(other)),
  )
}

function permutations(length: number): number[][] {
  if (length === 0) return [[]]
  return permutations(length - 1).flatMap((rest) =>
    Array.from({ length }, (_, at) => [...rest.slice(0, at), length - 1, ...rest.slice(at)]),
  )
}

describe('documents that replace one another are the same in whichever order their messages come', () => {
  const statuses = (states: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(states).map(([number, state]) => [number, state.split(',')[0]]))
  const [current, old, gone] = ['current', 'superseded', 'entered-in-error'] as const
  const row: readonly string[] = [`${told}:A`, `${replacing}:B<A`, `${replacing}:C<B`]

  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['a row', row, { A: old, B: old, C: current }],
    ['the last is withdrawn', [...row, `${withdrawn}:C`], { A: old, B: current, C: gone }],
    ['the one between is withdrawn', [...row, `${withdrawn}:B`], { A: old, B: gone, C: current }],
    ['the first is withdrawn', [...row, `${withdrawn}:A`], { A: gone, B: old, C: current }],
    ['from the end', [...row, `${withdrawn}:C`, `${withdrawn}:B`], { A: current, B: gone, C: gone }],
    ['from the middle', [...row, `${withdrawn}:B`, `${withdrawn}:C`], { A: current, B: gone, C: gone }],
    [
      'withdrawn before it is replaced',
      [`${told}:A`, `${replacing}:B<A`, `${withdrawn}:B`, `${replacing}:C<B`],
      { A: old, B: gone, C: current },
    ],
    [
      'withdrawn, and its original replaced anew',
      [`${told}:A`, `${replacing}:B<A`, `${withdrawn}:B`, `${replacing}:C<A`],
      { A: old, B: gone, C: current },
    ],
    [
      'the first is withdrawn, then replaced',
      [`${told}:A`, `${withdrawn}:A`, `${replacing}:B<A`],
      { A: gone, B: current },
    ],
    [
      'withdrawn and told again',
      [`${told}:A`, `${replacing}:B<A`, `${withdrawn}:B`, `${replacing}:B<A`],
      { A: old, B: current },
    ],
    ['gone back to', [`${told}:A`, `${replacing}:B<A`, `${replacing}:A<B`], { A: current, B: old }],
    [
      'gone back to and edited',
      [`${told}:A`, `${replacing}:B<A`, `${replacing}:A<B`, `${edited}:A`],
      { A: current, B: old },
    ],
    [
      'gone back to, and back again',
      [`${told}:A`, `${replacing}:B<A`, `${replacing}:A<B`, `${replacing}:B<A`],
      { A: old, B: current },
    ],
    ['edited after it was replaced', [`${told}:A`, `${replacing}:B<A`, `${edited}:A`], { A: old, B: current }],
    [
      'edited and then replaced',
      [`${told}:A`, `${edited}:A`, `${replacing}:B<A`, `${withdrawn}:B`],
      { A: current, B: gone },
    ],
    ['obsolete', [`${told}:A`, 'T03:A/OB', `${replacing}:B<A`, `${withdrawn}:B`], { A: old, B: gone }],
    ['called off by its availability', [`${told}:A`, `${replacing}:B<A`, 'T03:B/CA'], { A: current, B: gone }],
    [
      'called off and available again',
      [`${told}:A`, `${replacing}:B<A`, 'T03:B/CA', 'T03:B/AV'],
      { A: old, B: current },
    ],
    [
      'two replace one',
      [`${told}:A`, `${replacing}:B<A`, `${replacing}:C<A`, `${withdrawn}:C`],
      { A: old, B: current, C: gone },
    ],
  ])('%s', async (_what, chain, expected) => {
    const [inOrder = [], ...others] = permutations(chain.length).toSorted((one, other) => (one < other ? -1 : 1))
    const wanted = await after(chain, inOrder)
    expect(statuses(wanted)).toEqual(expected)
    const different: [string, unknown][] = []
    for (const order of others) {
      const states = await after(chain, order)
      if (JSON.stringify(states) !== JSON.stringify(wanted))
        different.push([order.map((at) => chain[at]).join(' '), states])
    }
    expect(different).toEqual([])
  })
})
