import type { AuditEvent as FhirAuditEvent } from '../../../ports/fhir-store/resources.ts'
import { auditIds, clientIds, subjectIds } from '../../../ports/fhir-store/write-audit-events.ts'
import { auditTopic } from './audit.ts'
import type { AuthDeps } from '../deps.ts'
import { findAuditEvent, type WrittenEvent } from '../store/audit-events.ts'

/** Brings audit events to the FHIR store, each with its id as a tag, so that one that comes twice is there once. */
export function deliverAudit({ outbox, platformFhir, database }: AuditDeliveryDeps) {
  return outbox.deliver<{ readonly id: string }>({
    topics: [auditTopic],
    handle: async ({ payload: { id } }, signal) => {
      const event = await findAuditEvent(id, database)
      // A code or a refresh token that was none left no row.
      if (event === undefined) return
      await platformFhir.createUnlessFound(fhirAuditEvent(event), { _tag: `${auditIds}|${id}` }, { signal })
    },
    concurrency: 2,
    // With the longest wait of five minutes these are weeks: an event is late rather than lost.
    attemptsMax: 10_000,
  })
}

type AuditDeliveryDeps = Pick<AuthDeps, 'outbox' | 'platformFhir' | 'database'>

const dicom = 'http://dicom.nema.org/resources/ontology/DCM'

/** What the standard has codes for; the rest is said in our own words. */
const dicomCodes: Readonly<Record<string, { readonly code: string; readonly display: string }>> = {
  login: { code: '110122', display: 'Login' },
  logout: { code: '110123', display: 'Logout' },
}

function fhirAuditEvent(event: WrittenEvent): FhirAuditEvent {
  const known = dicomCodes[event.event]
  const [first = unknown, ...others] = agentsOf(event)
  const network = event.peer === undefined ? {} : { network: { address: event.peer, type: '2' as const } }
  return {
    resourceType: 'AuditEvent',
    meta: { tag: [{ system: auditIds, code: event.id }] },
    type: { system: dicom, code: '110114', display: 'User Authentication' },
    subtype: [known === undefined ? { system: 'urn:corridor:audit', code: event.event } : { system: dicom, ...known }],
    action: 'E',
    recorded: event.at,
    outcome: event.outcome === 'success' ? '0' : '4',
    ...(event.reason === undefined ? {} : { outcomeDesc: event.reason }),
    agent: [{ ...first, requestor: true, ...network }, ...others.map((agent) => ({ ...agent, requestor: false }))],
    source: { observer: { display: 'Corridor authorization server' } },
    ...entitiesOf(event),
  }
}

/** The record that it was about, and the grant: by that all events of one family of tokens are found. */
function entitiesOf({ patient, grantId }: WrittenEvent): Pick<FhirAuditEvent, 'entity'> {
  const entity = [
    ...(patient === undefined ? [] : [{ what: { reference: `Patient/${patient}` } }]),
    ...(grantId === undefined ? [] : [{ what: { identifier: { system: grantIds, value: grantId } } }]),
  ]
  return entity.length === 0 ? {} : { entity }
}

const grantIds = 'urn:corridor:grant-id'

type Agent = Pick<FhirAuditEvent['agent'][number], 'who' | 'altId'>

const operators = 'urn:corridor:operator'

const unknown: Agent = { who: { identifier: { value: 'unknown' } } }

/** What comes from whoever holds the app's tokens. The person whose they are is named, but has done nothing. */
const doneByApp: ReadonlySet<string> = new Set(['code exchanged', 'code replayed', 'refresh token reused'])

/**
 * The person and the app, each under the name that all services give them; first who has done it. That is neither of them
 * where somebody at the machine changed their account.
 */
function agentsOf({ event, subject, fhirUser, username, clientId, operator }: WrittenEvent): Agent[] {
  const record = fhirUser === undefined ? {} : { reference: fhirUser }
  const altId = username === undefined ? {} : { altId: username }
  const agents = [
    ...(subject === undefined
      ? []
      : [{ who: { ...record, identifier: { system: subjectIds, value: subject } }, ...altId }]),
    ...(clientId === undefined ? [] : [{ who: { identifier: { system: clientIds, value: clientId } } }]),
  ]
  if (operator !== undefined) return [{ who: { identifier: { system: operators, value: operator } } }, ...agents]
  return doneByApp.has(event) ? agents.toReversed() : agents
}
