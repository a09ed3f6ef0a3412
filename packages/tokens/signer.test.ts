import { importJWK, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { makeTestKey } from '../testkit/test-key.ts'
import { makeSigner } from './signer.ts'

const key = await makeTestKey()
const token = { typ: 'at+jwt', claims: { sub: 'dr-amara' } } as const

it('signs what the public half of its key verifies', async () => {
  const { payload, protectedHeader } = await jwtVerify(
    await makeSigner(key).sign(token),
    await importJWK(key.publicJwk),
  )
  expect([payload, protectedHeader]).toEqual([token.claims, { alg: 'RS256', typ: 'at+jwt', kid: key.kid }])
})

it('tells when fewer signatures than asked are left to make', async () => {
  const signer = makeSigner(key)
  const events: string[] = []
  const signing = Array.from({ length: 5 }, async () => {
    await signer.sign(token)
    events.push('signed')
  })
  const few = signer.fewerThan(2).then(() => events.push('few'))
  await signer.fewerThan(6).then(() => events.push('not many'))
  await Promise.all([...signing, few])
  await signer.fewerThan(1)
  expect(events[0]).toBe('not many')
  expect(events.slice(0, events.indexOf('few')).filter((event) => event === 'signed').length).toBeGreaterThanOrEqual(3)
})
