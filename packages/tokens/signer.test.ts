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

it('tells when all but so many are signed', async () => {
  const signer = makeSigner(key)
  const events: string[] = []
  const signing = Array.from({ length: 5 }, async () => {
    await signer.sign(token)
    events.push('signed')
  })
  const nearly = signer.allBut(2).then(() => events.push('nearly'))
  await signer.allBut(5).then(() => events.push('at once'))
  await Promise.all([...signing, nearly])
  await signer.allBut(0)
  expect(events[0]).toBe('at once')
  expect(events.slice(0, events.indexOf('nearly')).filter((event) => event === 'signed').length).toBeGreaterThanOrEqual(
    2,
  )
})

it('does not wait for what is asked to be signed later, so that it never waits for ever', async () => {
  const signer = makeSigner(key)
  const state = { isWaiting: true }
  const oneAfterTheOther = async () => {
    while (state.isWaiting) await signer.sign(token)
  }
  // Always one to make: sixteen are in work at any time, whatever was made.
  const flood = Array.from({ length: 16 }, oneAfterTheOther)
  await signer.allBut(0)
  // It has come back, though there was something to sign all the time.
  state.isWaiting = false
  expect(await Promise.all(flood)).toHaveLength(16)
})
