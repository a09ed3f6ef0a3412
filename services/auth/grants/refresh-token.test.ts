import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth } from '../testing/test-auth.tsx'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corridor-refresh-'))
  await writeFile(join(folder, 'password'), 'correct horse battery\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const declared = (scope: string, role = 'CLINICIAN') => ({
  clients: [{ clientId: 'wide', redirectUris: [redirectUri], scope }],
  users: [{ username: 'doc', fhirUser: 'Practitioner/doc', roles: [role], passwordFile: join(folder, 'password') }],
})

const wide = 'openid fhirUser offline_access user/*.cruds'

/** An app is let in under one declaration and refreshes under the next. */
async function refreshedUnder(next: ReturnType<typeof declared>, fields: Readonly<Record<string, string>> = {}) {
  await using before = await startTestAuth(declared(wide))
  const browser = before.browser()
  await browser.signIn('doc', 'correct horse battery')
  const { refresh_token: token, scope } = await new SmartApp(before, 'wide').tokens({ scope: wide }, browser)
  expect(scope).toBe(wide)
  await using after = await startTestAuth({ databaseUrl: before.databaseUrl, ...next })
  // Signed by the copy before, whose keys the next does not have: it is the register that both share.
  const app = new SmartApp(before, 'wide')
  await before.deps.knownClients.findProven('wide', () => false)
  const response = await app.refresh(token, fields)
  const told = (await response.json()) as Tokens & { readonly error?: string }
  const again = (await app.refresh(token)).status
  const ended = await after.database.many<{ reason: string | null; subject: string | null }>(
    sql`select reason, subject from auth.audit_events where event = 'grant revoked'`,
  )
  return { status: response.status, scope: told.scope, error: told.error, again, ended }
}

describe('a refresh', () => {
  it('gives no more than the registration of the client has by now', async () => {
    const next = declared('openid fhirUser offline_access user/Patient.rs')
    expect(await refreshedUnder(next)).toMatchObject({
      status: 200,
      scope: 'openid fhirUser offline_access user/Patient.rs',
    })
  })

  it('gives no more than the user can give by now', async () => {
    expect(await refreshedUnder(declared(wide, 'PATIENT'))).toMatchObject({
      status: 200,
      scope: 'openid fhirUser offline_access',
    })
  })

  it('leaves out what was taken away since, where an app repeats all that it was granted', async () => {
    const next = declared('openid offline_access user/Patient.rs')
    expect(await refreshedUnder(next, { scope: wide })).toMatchObject({
      status: 200,
      scope: 'openid offline_access user/Patient.rs',
    })
  })

  it.each([
    ['nothing of it is left', 'launch/patient'],
    ['it may no longer live without a login', 'openid fhirUser user/*.cruds'],
  ])('is refused and ends the grant where %s', async (_why, scope) => {
    expect(await refreshedUnder(declared(scope))).toMatchObject({
      ...{ status: 400, error: 'invalid_grant', again: 400 },
      ended: [{ reason: 'no longer within the registration', subject: 'doc' }],
    })
  })
})
