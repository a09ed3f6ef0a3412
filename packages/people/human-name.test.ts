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
  // A father and his son may have nothing else apart.
  [[{ given: ['John'], family: 'Smith', suffix: ['Jr'] }], 'John Smith Jr'],
  [[{ prefix: ['Dr'], given: ['John'], family: 'Smith', suffix: ['III', 'PhD'] }], 'Dr John Smith III PhD'],
  [[{ text: 'Smith, John', given: ['John'], family: 'Smith', suffix: ['Jr'] }], 'Smith, John'],
  // What was not told is null in the list of those that were, in JSON.
  [[{ given: ['Priya', null as unknown as string, 'M'], family: 'Kumar' }], 'Priya M Kumar'],
  [[{ given: [null as unknown as string], family: 'Kumar' }], 'Kumar'],
  [
    [
      { use: 'official', text: 'Expired', period: { end: '2019' } },
      { use: 'usual', text: 'Us' },
    ],
    'Us',
  ],
  [
    [
      { use: 'official', text: 'Before', period: { end: '2019-05-04' } },
      { use: 'official', text: 'After', period: { start: '2019-05-04' } },
    ],
    'After',
  ],
  [[{ use: 'old', text: 'Oldname' }, { text: 'Newname' }], 'Newname'],
  [[{ use: 'old', text: 'Oldname' }], 'Oldname'],
  [
    [
      { use: 'maiden', given: ['Amina'], family: 'Keita' },
      { given: ['Amina'], family: 'Diallo' },
    ],
    'Amina Diallo',
  ],
  [[{ use: 'maiden', text: 'Keita' }], 'Keita'],
  [[{ use: 'anonymous', text: 'Unknown 7' }, { text: 'Diallo' }], 'Diallo'],
  [
    [
      { use: 'anonymous', text: 'Unknown 7' },
      { use: 'maiden', text: 'Keita' },
    ],
    'Unknown 7',
  ],
  [
    [
      { use: 'usual', text: 'Us', period: { end: '2018' } },
      { use: 'official', text: 'Expired', period: { end: '2019' } },
    ],
    'Expired',
  ],
  [[{}], undefined],
  [[], undefined],
  [undefined, undefined],
])('the name in %j is %s', (names, name) => {
  expect(nameOf(names)).toBe(name)
})

it.each([
  ['2026-11-15', 'Other'],
  ['2026-11-16', 'Until then'],
  ['2026-11-16T23:59:00+02:00', 'Until then'],
  ['2026-10', 'Other'],
  ['2026-11', 'Until then'],
  ['2025', 'Other'],
  ['2026', 'Until then'],
])('a name is borne until the end of its period: %s', (end, name) => {
  const names: HumanName[] = [{ use: 'official', text: 'Until then', period: { end } }, { text: 'Other' }]
  expect(nameOf(names, new Date('2026-11-16T12:00:00Z'))).toBe(name)
})

it.each([
  ['2026-11-15', 'From then on'],
  ['2026-11-16', 'From then on'],
  ['2026-11-16T23:59:00+02:00', 'From then on'],
  ['2026-11-17', 'Other'],
  ['2026-11', 'From then on'],
  ['2026-12', 'Other'],
  ['2027', 'Other'],
])('a name is not borne before its period begins: %s', (start, name) => {
  const names: HumanName[] = [{ use: 'official', text: 'From then on', period: { start } }, { text: 'Other' }]
  expect(nameOf(names, new Date('2026-11-16T12:00:00Z'))).toBe(name)
})

it.each<[HumanName[], string]>([
  [
    [
      { use: 'official', text: 'To come', period: { start: '2027-01-01' } },
      { use: 'usual', text: 'Ended', period: { end: '2025' } },
    ],
    'Ended',
  ],
  [
    [
      { use: 'official', text: 'To come', period: { start: '2027-01-01' } },
      { use: 'maiden', text: 'Before' },
    ],
    'Before',
  ],
  [[{ use: 'official', text: 'To come', period: { start: '2027-01-01' } }], 'To come'],
  [
    [
      { use: 'official', text: 'First', period: { end: '2019-05-04' } },
      { use: 'official', text: 'Second', period: { start: '2019-05-04', end: '2024' } },
    ],
    'Second',
  ],
])('where no name is borne today, somebody has the one that they bore last: %j', (names, name) => {
  expect(nameOf(names, new Date('2026-11-16T12:00:00Z'))).toBe(name)
})
