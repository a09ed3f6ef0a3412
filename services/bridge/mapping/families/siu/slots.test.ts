import { expect, it } from 'vitest'
import { nameUuid } from '../../name-uuid.ts'
import { ownMarks } from './slots.ts'

const number = (value: string) => ({ parameter: 'identifier', system: 'urn:sched', value }) as const
const mark = (value: string) => ({ system: 'https://corridor.example/id/CENTRAL/taken-by', value })
const own = mark(`${nameUuid('urn:sched|A1')}/doctor`)
const byOtherNumber = mark(`${nameUuid('urn:sched|F1')}/doctor`)
const others = mark(`${nameUuid('urn:sched|A2')}/doctor`)
const old = mark('255a4815-10ef-5454-a9d2-5e72f1bf6786')

it.each([
  ['its own', [own], [own]],
  ['its own by each of its numbers', [own, byOtherNumber, others], [own, byOtherNumber]],
  ['one that does not tell whose it is, alone', [old], [old]],
  ['one that does not tell whose it is, beside another', [old, others], []],
  ['none', [{ system: 'https://corridor.example/id/CENTRAL/slot', value: 'x' }], []],
])('the marks of a slot that an appointment leaves: %s', (_, identifier, ofIt) => {
  expect(ownMarks({ identifier }, [number('A1'), number('F1')])).toEqual(ofIt)
})
