import { describe, expect, it } from 'vitest'
import { unauthenticated } from '../../../packages/faults/fault.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import type { Client } from '../store/clients.ts'
import { ClientKeys } from './client-keys.ts'
import type { FetchedKeySet } from './fetch-key-set.ts'

const key = (kid: string) => ({ kid, kty: 'EC' })
// Sound: of a client only its id and where its keys are is looked at.
const client = { clientId: 'lab', jwks: null, jwksUri: 'https://lab.example/jwks' } as Client

/** A publisher that answers when the test says so. */
function publisher() {
  const clock = new MovedClock(new Date())
  const asked: PromiseWithResolvers<FetchedKeySet>[] = []
  const fetchKeySet = (_uri: string, _clientId: string) => {
    const answer = Promise.withResolvers<FetchedKeySet>()
    asked.push(answer)
    return answer.promise
  }
  const answer = (kid: string) => asked.at(-1)?.resolve({ document: { keys: [key(kid)] }, maxAgeSeconds: 600 })
  const fail = () => asked.at(-1)?.reject(unauthenticated('The public keys of the client cannot be fetched.'))
  return { clock, asked, answer, fail, keys: new ClientKeys({ clock, fetchKeySet }) }
}

describe('the keys that a client publishes', () => {
  it('are fetched once for all who ask at the same moment, also for a new key', async () => {
    const { clock, asked, answer, keys } = publisher()
    const many = (kid: string) => Promise.all(Array.from({ length: 20 }, () => keys.named(kid, client)))
    const first = many('first')
    answer('first')
    expect(new Set((await first).flat())).toEqual(new Set([key('first')]))
    clock.forward(11)
    const second = many('second')
    await Promise.resolve()
    answer('second')
    expect((await second).map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 1))
    expect(asked).toHaveLength(2)
  })

  it('that could not be fetched are not asked for again within ten seconds', async () => {
    const { clock, asked, answer, fail, keys } = publisher()
    const first = keys.named('first', client)
    fail()
    await expect(first).rejects.toThrow('cannot be fetched')
    await expect(keys.named('first', client)).rejects.toThrow('cannot be fetched')
    expect(asked).toHaveLength(1)
    clock.forward(11)
    const again = keys.named('first', client)
    answer('first')
    expect(await again).toEqual([key('first')])
    expect(asked).toHaveLength(2)
  })

  it('serve on when a look for a new one fails', async () => {
    const { clock, answer, fail, keys } = publisher()
    const first = keys.named('first', client)
    answer('first')
    await first
    clock.forward(11)
    const second = keys.named('second', client)
    await Promise.resolve()
    fail()
    await expect(second).rejects.toThrow('cannot be fetched')
    expect(await keys.named('first', client)).toEqual([key('first')])
  })
})
