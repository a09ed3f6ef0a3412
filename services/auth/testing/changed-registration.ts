import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '../../../packages/sql/sql.ts'
import { redirectUri, SmartApp } from './smart-app.ts'
import { startTestAuth, type TestAuthOptions } from './test-auth.tsx'

export const wide = 'openid fhirUser offline_access user/*.cruds'

/** One app and one practitioner as a configuration declares them. */
export const declared = (scope: string, role = 'CLINICIAN') => ({
  clients: [{ clientId: 'wide', redirectUris: [redirectUri], scope }],
  users: [{ username: 'doc', fhirUser: 'Practitioner/doc', roles: [role] }],
})

type Declared = Required<Pick<TestAuthOptions, 'clients' | 'users'>>

/** A server under one declaration, and its app; then the register is as the next declaration has it. */
export async function changedRegistration(first: Declared) {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'corridor-changed-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, 'correct horse battery\n')
  const withPassword = ({ clients, users }: Declared) => ({
    clients,
    users: users.map((user) => ({ ...user, passwordFile })),
  })
  const auth = started.use(await startTestAuth(withPassword(first)))
  const app = new SmartApp(auth, 'wide')
  const browser = auth.browser()
  const life = started.move()
  return {
    ...{ auth, app, browser },
    /** Signs in and lets the app in, for a patient where one is to be picked. */
    async code({ scope, patient }: { readonly scope: string; readonly patient?: string }): Promise<string> {
      await browser.signIn('doc', 'correct horse battery')
      return patient === undefined ? app.code({ scope }, browser) : app.codeFor(patient, { scope }, browser)
    },
    /** A copy with the next declaration starts. The app stays with the copy before: it is the register that both share. */
    async to(next: Declared): Promise<void> {
      life.use(await startTestAuth({ databaseUrl: auth.databaseUrl, ...withPassword(next) }))
      await auth.deps.knownClients.findProven('wide', () => false)
    },
    /** The grants that were ended, and why. */
    ended: () =>
      auth.database.many<{ reason: string | null; subject: string | null }>(
        sql`select reason, subject from auth.audit_events where event = 'grant revoked'`,
      ),
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  }
}
