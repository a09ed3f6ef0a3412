import { expect, it } from 'vitest'
import { isToken } from './tokens.ts'
import { isUri } from './uris.ts'

it('codes of a set that has very many are one list a system', () => {
  const codes = Array.from({ length: 300_000 }, (_each, at) => `c${at}`)
  expect(isToken(codes.map((code) => ({ system: 'urn:s', code }))).values).toHaveLength(2)
})

it('an address may be longer than a call has arguments', () => {
  const { values } = isUri({ kind: 'uri', how: 'below', uri: `http://a/${'x'.repeat(1_000_000)}` })
  expect(values.map((value) => String(value).length)).toEqual([465, 500, 500])
})
