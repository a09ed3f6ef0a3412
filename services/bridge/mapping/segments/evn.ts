import type { Provenance, ProvenanceAgent, Reference } from '../../../../packages/fhir/r4.ts'
import { authorityUri, controlIdOf, readHd, type Message, type Segment } from '../../../../packages/hl7/index.ts'
import { at, warnAt } from '../at.ts'
import { codeText, coding, concept, v2System } from '../code-map.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import type { Write } from '../mapped.ts'
import { cweOf } from '../dt/cwe.ts'
import { location } from '../dt/pl.ts'
import { dateTime, instant } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import { readableKey } from '../drafted-keys.ts'
import { header, triggerOf } from './msh.ts'

/** When the sender said it: EVN-2, else MSH-7. */
export function saidAt(draft: Draft): string | undefined {
  const msh = draft.message.segment('MSH')
  return eventSaidAt(draft) ?? (msh && byReceipt(dateTime, msh, 7, draft))
}

/** A person (A29): told late, it must not end who was told again since. */
const isDeletion = ({ mode, resource }: Write): boolean =>
  mode === 'amend' && resource.resourceType === 'Patient' && resource.active === false && resource.link === undefined

/** EVN-2: when an event was told, if not when it happened. */
export function eventSaidAt(draft: Draft): string | undefined {
  const evn = draft.message.segment('EVN')
  return evn && byReceipt(dateTime, evn, 2, draft)
}

/**
 * EVN and MSH to Provenance: who said what about which resources, and when; `others` are those whom further segments
 * name (ORC-10). None without a time: R4 demands one.
 */
export function putProvenance(draft: Draft, others: readonly ProvenanceAgent[] = []): void {
  const { message, context } = draft
  if (context.settings.withoutProvenance === true) return
  // What is taken back is told of, too: an older message that comes late learns of it by this alone, where it was told again since.
  const targets = draft.writes.filter(
    (write) => write.mode === 'upsert' || write.leavesTrace === true || isDeletion(write),
  )
  const recorded = recordedAt(draft)
  const controlId = controlIdOf(message)
  if (recorded === undefined || controlId === undefined || targets.length === 0) return
  const sender = [message.getText(header.application) ?? '', message.getText(header.facility) ?? '', controlId]
  const key = { ...readableKey(draft, 'message', ...sender), parameter: '_tag' as const }
  const evn = message.segment('EVN')
  const pid = onlyPid(message)
  const trigger = codeText(triggerOf(draft))
  const reason = evn && cweOf('0062')(evn.part(4), at(draft, evn, 4))
  const resource: Provenance = {
    resourceType: 'Provenance',
    meta: { tag: [{ system: key.system, code: key.value }] },
    target: targets.map(({ fullUrl, resource: { resourceType } }): Reference => ({
      reference: fullUrl,
      type: resourceType,
    })),
    recorded,
    ...compact<Partial<Provenance>>({
      occurredDateTime:
        (evn && dateTime(evn.part(6), at(draft, evn, 6))) ?? (pid && dateTime(pid.part(33), at(draft, pid, 33))),
      location: evn && eventFacility(evn, draft),
      reason: reason && [reason],
      activity: trigger === undefined ? undefined : { coding: [coding(v2System('0003'), trigger)] },
    }),
    agent: [
      agent('author', { reference: context.facility.organization }),
      ...enterers(draft),
      ...lastUpdaters(draft, targets),
      ...others,
    ],
    entity: [{ role: 'source', what: { identifier: { system: key.system, value: key.value } } }],
  }
  draft.put(resource, { key })
}

function recordedAt(draft: Draft): string | undefined {
  const evn = draft.message.segment('EVN')
  const msh = draft.message.segment('MSH')
  return (evn && byReceipt(instant, evn, 2, draft)) ?? (msh && byReceipt(instant, msh, 7, draft))
}

/**
 * What a sender says of its own clock. One that is far ahead would have the last word for years: everything that is said
 * until then would be older. What it said, it said by the time it was received.
 */
function byReceipt(rule: typeof dateTime, segment: Segment, field: number, draft: Draft): string | undefined {
  const place = at(draft, segment, field)
  const said = rule(segment.part(field), place)
  const { receivedAt } = draft.context
  if (said === undefined || receivedAt === undefined || !said.includes('T')) return said
  if (Date.parse(said) <= receivedAt.getTime() + clocksDifferMs) return said
  warnAt(place, 'bad-date', 'This time had not come when the message was received; the time of receipt was taken.')
  // To the second, as senders say it: what is said right afterwards is not older.
  return `${receivedAt.toISOString().slice(0, 19)}Z`
}

/** Clocks are never quite the same. */
export const clocksDifferMs = 5 * 60_000

/** EVN-7: the site where it happened. */
function eventFacility(evn: Segment, draft: Draft): Reference | undefined {
  const facility = readHd(evn.part(7))
  return facility && location({ facility }, at(draft, evn, 7))
}

/** EVN-5: whoever sat at the screen. */
function enterers(draft: Draft): ProvenanceAgent[] {
  const evn = draft.message.segment('EVN')
  const people = evn?.repetitions(5).map((part, repetition) => xcn(part, at(draft, evn, 5, repetition))) ?? []
  return people.filter((who) => who !== undefined).map((who) => agent('enterer', who))
}

/** When and where their patient was last changed is not said of the others of the message. */
function onlyPid(message: Message): Segment | undefined {
  const [pid, ...others] = message.segments('PID')
  return others.length === 0 ? pid : undefined
}

/** PID-34: where what is said of the patient was last changed, if not by the sender. */
function lastUpdaters({ message, context }: Draft, targets: readonly Write[]): ProvenanceAgent[] {
  const isOfPatient = targets.some(({ resource }) => resource.resourceType === 'Patient')
  const facility = isOfPatient ? readHd(onlyPid(message)?.part(34)) : undefined
  if (facility === undefined || facility.namespace === context.facility.code) return []
  const display = facility.namespace ?? facility.universalId
  const value = authorityUri(facility)
  const who = compact<Reference>({
    display,
    identifier: value === undefined ? undefined : { system: 'urn:ietf:rfc:3986', value },
  })
  return who === undefined ? [] : [agent('performer', { type: 'Organization', ...who })]
}

export const agent = (type: AgentType, who: Reference): ProvenanceAgent => ({
  type: concept('http://terminology.hl7.org/CodeSystem/provenance-participant-type', type),
  who,
})

type AgentType = 'author' | 'enterer' | 'verifier' | 'performer'
