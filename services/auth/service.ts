import { assert } from '../../packages/faults/fault.ts'
import { defineService, type Kit, workGraceMs } from '../../packages/service/service.ts'
import type { DeclaredStep } from '../../packages/service/first-step.ts'
import { measureQueues } from '../../packages/sql/tasks/measure-queues.ts'
import { auditTopic } from './audit/audit.ts'
import { deliverAudit } from './audit/audit-delivery.ts'
import type { AuthDeps } from './deps.ts'
import { demoClients, demoUsers } from './demo-accounts.ts'
import { sessionCookieName } from './login/visitor.ts'
import { makeDeps, type AuthKit, type MakeOptions } from './make-deps.ts'
import { reconcile, refuseDemoAccounts, refuseProductionAccounts } from './registration/reconcile.ts'
import { sealSecrets } from './registration/seal-secrets.ts'
import type { DeclaredUser } from './registration/user-fields.ts'
import { workspaceClients } from './registration/workspace-client.ts'
import { errorPageOf } from './error-page-of.tsx'
import { revoking } from './revocation/revoking.ts'
import { authRoutes } from './routes/routes.ts'
import type { AuthSection } from './section.ts'
import { listUsers } from './store/users.ts'
import { keepSweeping } from './sweeping.ts'

export const authService = defineService({
  name: 'auth',
  title: 'Authorization server',
  purpose: 'Signs people, apps and services in and gives them SMART tokens; holds the clinician portal.',
  build: (section: AuthSection, kit) => buildAuth(section, kit),
})

/** The parts of the service. */
export async function buildAuth(section: AuthSection, kit: AuthKit, options: MakeOptions = {}) {
  const { addresses, mode } = kit
  const deps = await makeDeps(section, kit, options)
  const users = demoUsers(options.demoPasswordHash)
  const reconciling = {
    ...deps,
    mode,
    allowsLoopbackKeySets: section.loopbackKeySets,
    revoking: () => revoking(deps),
  }
  if (mode === 'production') await refuseDemoAccounts(deps)
  else {
    await refuseProductionAccounts(deps)
    await reconcile('demo', { users, clients: demoClients(immunizationUrl(addresses)) }, reconciling)
  }
  const clients = [...workspaceClients(addresses), ...section.clients]
  await reconcile('configuration', { users: section.users, clients }, reconciling)
  await sealSecrets(deps)
  if (!section.totp) await warnOfCodes(deps)
  const sweeping = keepSweeping(deps)
  const auditing = deliverAudit(deps)
  if (section.auditToFhir) auditing.start()
  const measuring = measureQueues({ topics: section.auditToFhir ? [auditTopic] : [], jobs: [] }, kit)
  return {
    routes: authRoutes(deps),
    deps,
    errorPage: errorPageOf(deps),
    sessionCookie: sessionCookieName(deps.settings),
    accounts: mode === 'demo' ? users.map((user) => ({ ...accountOf(user), password: 'demo' })) : [],
    tryFirst: firstSteps(addresses['auth'] ?? ''),
    close: async () => {
      await Promise.all([sweeping.end(), measuring.end()])
      await auditing.stop(kit.graceMs(workGraceMs))
    },
  }
}

/** What `corridor users add --totp` says, for those who are declared. */
async function warnOfCodes({ database, log }: Pick<AuthDeps, 'database' | 'log'>): Promise<void> {
  const users = (await listUsers(database)).filter(
    ({ totpSecret, status }) => totpSecret !== null && status === 'active',
  )
  if (users.length === 0) return
  log.warn('users cannot sign in: the login page does not ask for their codes; set auth.totp to true', {
    count: users.length,
  })
}

const firstSteps = (url: string): DeclaredStep[] => [
  {
    title: 'Sign in as a clinician and open an app for a patient',
    text: 'The clinician portal.',
    href: '/portal',
    inDemo: { text: 'The clinician portal; user clinician, password demo.' },
  },
  {
    title: 'Get a token for a service account',
    text: 'One that corridor clients add has registered.',
    command: askForToken('<client-id>:<secret>', url),
    inDemo: { text: 'What services use to call each other.', command: askForToken('svc-bridge:demo', url) },
  },
  {
    title: 'Look at the public keys',
    text: 'Every token is checked with one of them.',
    command: `curl ${url}/oauth2/jwks`,
  },
]

const askForToken = (account: string, url: string) =>
  `curl -u ${account} -d grant_type=client_credentials ${url}/oauth2/token`

function accountOf({ username, displayName = '', roles, fhirUser }: DeclaredUser) {
  return { name: username, is: `${roles.join(', ').toLowerCase()}: ${displayName} (${fhirUser})` }
}

function immunizationUrl(addresses: Kit['addresses']): string {
  const url = addresses['immunization']
  assert(url !== undefined, 'the address of the immunization app is known')
  return url
}
