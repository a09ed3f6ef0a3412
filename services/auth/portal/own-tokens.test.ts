import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { afterAll, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { openKeyStore } from '../../../packages/keys/key-store.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { makeSigner } from '../../../packages/tokens/signer.ts'
import type { UserInToken } from '../store/grant-and-user.ts'
import { OwnTokens } from './own-tokens.ts'

const directory = await mkdtemp(join(tmpdir(), 'corridor-own-tokens-'))
afterAll(() => rm(directory, { recursive: true }))

it('the tokens of the portal are kept for a minute, and not beyond the key that signed them', async () => {
  const clock = new MovedClock(new Date())
  const signingKeys = await openKeyStore({ directory, clock, log: silentLog })
  const signer = makeSigner(() => signingKeys.current())
  const settings = { issuer: 'https://auth.example', fhirBase: 'https://fhir.example' }
  const tokens = new OwnTokens({ settings, signingKeys, signer, clock, ids: systemIds })
  const user: UserInToken = {
    ...{ username: 'dr', displayName: 'Dr', subject: 'dr' },
    ...{ roles: ['CLINICIAN'], fhirUser: 'Practitioner/dr', organisation: null },
  }
  const all = () => Promise.all([tokens.forUser(user, null), tokens.forUser(user, 'amina'), tokens.forPlatform()])
  const first = await all()
  clock.forward(59)
  expect(await all()).toEqual(first)
  const stolen = signingKeys.current().kid
  const { kid } = await signingKeys.rotate({ immediately: true })
  await signingKeys.remove(stolen)
  const second = await all()
  expect(second.map((token) => decodeProtectedHeader(token).kid)).toEqual([kid, kid, kid])
  clock.forward(59)
  expect(await all()).toEqual(second)
  clock.forward(1)
  const third = await all()
  for (const token of second) expect(third).not.toContain(token)
})
