import { expect, it } from 'vitest'
import { facilityDirectory } from './facilities.ts'
import { isSameReceiver } from './same-receiver.ts'

const nobody = { webhook: undefined, phone: undefined, email: undefined }
const facilities = facilityDirectory(
  ['lakeside-app', 'lakeside-desk'].map((clientId) => ({
    ...{ clientId, organisation: 'Organization/lakeside', ...nobody },
  })),
)

it.each([
  ['its client id with the performer left out', ['hill', 'Organization/hill-east'], ['hill', null], true],
  ['its organisation by name', ['hill', null], ['hill', 'Organization/hill'], true],
  ['its organisation behind another client id', ['hill', 'Organization/hill'], ['app', 'Organization/hill'], true],
  ['its organisation by configuration', ['lakeside-app', null], ['x', 'Organization/lakeside'], true],
  ['another client of its organisation', ['lakeside-app', 'Organization/lab'], ['lakeside-desk', null], true],
  ['another organisation behind its client', ['hill', 'Organization/hill'], ['hill', 'Organization/lab'], false],
  ['somebody else', ['hill', null], ['lakeside-app', null], false],
] as const)('a facility that is asked again as %s: the same %s', (_name, before, after, expected) => {
  const receiver = ([receivingFacilityClientId, performerId]: readonly [string, string | null]) => ({
    ...{ receivingFacilityClientId, performerId },
  })
  expect(isSameReceiver(receiver(before), receiver(after), facilities)).toBe(expected)
  expect(isSameReceiver(receiver(after), receiver(before), facilities)).toBe(expected)
})
