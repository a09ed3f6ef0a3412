import { expect, it } from 'vitest'
import type { HumanName } from '../fhir/r4.ts'
import { nameOf } from './human-name.ts'

it.each<[HumanName[] | undefined, string | undefined]>([
  [
    [
      { use: 'usual', text: 'Pri' },
      { use: 'official', given: ['Priya', 'M'], family: 'Kumar' },
    ],
    'Priya M Kumar',
  ],
  [
    [
      { use: 'old', text: 'Before' },
      { use: 'usual', text: ' Pri ' },
    ],
    'Pri',
  ],
  [[{ text: 'Kumar, Priya', given: ['x'] }], 'Kumar, Priya'],
  [[{ prefix: ['Dr'], given: ['Priya'], family: 'Kumar' }], 'Dr Priya Kumar'],
  [[{}], undefined],
  [[], undefined],
  [undefined, undefined],
])('the name in %j is %s', (names, name) => {
  expect(nameOf(names)).toBe(name)
})
