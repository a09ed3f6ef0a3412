import { later } from '../../../packages/clock/later.ts'
import { incorrect, missing } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { auditIn, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import type { Visitor } from '../login/visitor.ts'
import { digestOf } from '../secrets/digest.ts'
import { launchableClients, type Client } from '../store/clients.ts'
import { addLaunch } from '../store/launches.ts'
import { findSurvivor, isEncounterOf } from './find-patients.ts'
import { lookOf } from './look.ts'

interface LaunchWish {
  readonly patientId: string
  readonly encounterId: string | undefined
  /** The app, by its client_id; the configured SMART client unless said. */
  readonly app: string | undefined
}

/** Makes a launch token for what was chosen and tells where to send the browser with it. */
export async function createLaunch(
  wish: LaunchWish,
  visitor: Visitor,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<string> {
  const { settings, database, clock, ids } = deps
  const look = lookOf(visitor.user, request, deps)
  const { encounterId } = wish
  const patient = await findSurvivor(wish.patientId, look)
  if (patient === undefined) throw missing('There is no such patient.')
  const patientId = patient.id
  if (encounterId !== undefined && !(await isEncounterOf(encounterId, patientId, look))) {
    throw incorrect('The encounter is not one of this patient.', { code: 'ENCOUNTER_OF_ANOTHER' })
  }
  const target = await launchTarget(wish.app, deps)
  const token = ids.secret()
  await database.transaction(async (tx) => {
    const now = clock.now()
    const bound = { userId: visitor.user.id, patient: patientId, encounter: encounterId ?? null }
    const times = { now, expiresAt: later(now, settings.launchSeconds) }
    await addLaunch(digestOf(token), { ...bound, clientId: target.clientId }, times, tx)
    const about = { clientId: target.clientId ?? undefined, subject: visitor.user.subject, patient: patientId }
    await auditIn(tx, { event: 'launch created', ...about, ...whence(request) }, deps)
  })
  const query = new URLSearchParams({ iss: settings.fhirBase, launch: token })
  return `${target.launchUri}${target.launchUri.includes('?') ? '&' : '?'}${query}`
}

interface LaunchTarget {
  readonly clientId: string | null
  readonly launchUri: string
}

async function launchTarget(app: string | undefined, deps: AuthDeps): Promise<LaunchTarget> {
  const apps = await launchableApps(deps)
  if (app !== undefined) {
    const chosen = apps.find(({ clientId }) => clientId === app)
    if (chosen?.launchUri === undefined || chosen.launchUri === null) throw missing('There is no such app to launch.')
    return { clientId: chosen.clientId, launchUri: chosen.launchUri }
  }
  const launchUri = configuredLaunchUri(deps)
  const known = apps.find((client) => client.launchUri === launchUri)
  return { clientId: known?.clientId ?? null, launchUri }
}

/** The apps to choose from, the configured SMART client first. */
export async function launchableApps(deps: Pick<AuthDeps, 'database' | 'settings'>): Promise<readonly Client[]> {
  const apps = await launchableClients(deps.database)
  const first = configuredLaunchUri(deps)
  return apps.toSorted((a, b) => Number(b.launchUri === first) - Number(a.launchUri === first))
}

const configuredLaunchUri = ({ settings }: Pick<AuthDeps, 'settings'>) => `${settings.clientUrl}/launch`
