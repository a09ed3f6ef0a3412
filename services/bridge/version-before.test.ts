import { expect, it } from 'vitest'
import { versionBefore } from './version-before.ts'

it.each([
  ['2', 'update', '1'],
  ['10', 'update', '9'],
  ['1', 'update', undefined],
  ['2', 'create', undefined],
  ['2', 'delete', undefined],
  [null, 'update', undefined],
  ['a1', 'update', undefined],
  ['02', 'update', undefined],
  ['999999999999999', 'update', '999999999999998'],
  ['9999999999999999', 'update', undefined],
] as const)('before version %s, which was a write of the kind %s, stood version %s', (versionId, operation, before) => {
  expect(versionBefore({ type: 'Patient', id: 'a', versionId, operation })?.version).toBe(before)
})
