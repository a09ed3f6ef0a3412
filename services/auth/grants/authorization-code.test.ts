import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { changedRegistration, declared, wide } from '../testing/changed-registration.ts'
import type { Tokens } from '../testing/smart-app.ts'

/** A code is made under one declaration and exchanged under the next. */
async function exchangedUnder(
  next: ReturnType<typeof declared>,
  asked: { readonly scope: string; readonly patient?: string } = { scope: wide },
) {
  await using changed = await changedRegistration(declared(asked.scope))
  const code = await changed.code(asked)
  await changed.to(next)
  const response = await changed.app.exchange(code)
  const told = (await response.json()) as Tokens & { readonly error?: string }
  return { ...told, status: response.status, ended: await changed.ended() }
}

describe('a code', () => {
  it('gives all that was granted where nothing changed', async () => {
    expect(await exchangedUnder(declared(wide))).toMatchObject({ status: 200, scope: wide, ended: [] })
  })

  it('gives no more than the registration of the client has by now', async () => {
    const scope = 'openid fhirUser offline_access user/Patient.rs'
    const exchanged = await exchangedUnder(declared(scope))
    expect(exchanged).toMatchObject({ status: 200, scope })
    expect(decodeJwt(exchanged.access_token)).toMatchObject({ scope })
  })

  it('gives no more than the user can give by now', async () => {
    const scope = 'openid fhirUser offline_access'
    expect(await exchangedUnder(declared(wide, 'PATIENT'))).toMatchObject({ status: 200, scope })
  })

  it('gives no patient once the user could no longer pick one', async () => {
    const scope = 'openid launch/patient patient/*.rs'
    const asked = { scope, patient: 'kofi-mensah' }
    expect(await exchangedUnder(declared(scope), asked)).toMatchObject({ status: 200, scope, patient: 'kofi-mensah' })
    const exchanged = await exchangedUnder(declared(scope, 'PATIENT'), asked)
    expect(exchanged).toMatchObject({ status: 200, scope: 'openid', patient: null, need_patient_banner: false })
    expect(decodeJwt(exchanged.access_token)).not.toHaveProperty('patient')
  })

  it.each([
    ['nothing of it is left', 'launch/patient'],
    ['it may no longer live without a login', 'openid fhirUser user/*.cruds'],
  ])('is refused and ends the grant where %s', async (_why, scope) => {
    const exchanged = await exchangedUnder(declared(scope))
    expect(exchanged).toMatchObject({
      ...{ status: 400, error: 'invalid_grant' },
      ended: [{ reason: 'no longer within the registration', subject: 'doc' }],
    })
    expect(exchanged).not.toHaveProperty('access_token')
  })
})
