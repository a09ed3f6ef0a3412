import type { Coverage, CoverageClass, Identifier, Organization, Reference } from '../../../../packages/fhir/r4.ts'
import { readXon, readXpn, type Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { concept, rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { cx } from '../dt/cx.ts'
import { cweOf } from '../dt/cwe.ts'
import { date, isOrdered } from '../dt/ts.ts'
import { xad } from '../dt/xad.ts'
import { xon } from '../dt/xon.ts'
import { humanName, shownName } from '../dt/xpn.ts'
import { derivedKey } from '../drafted-keys.ts'
import { identifierKey, keyIdentifier, keyText } from '../keys.ts'
import type { PutPatient } from '../patient.ts'
import { subscriberRelationship } from '../v/0063-subscriber-relationship.ts'

/** IN1 to Coverage, with the insurer as Organization. */
export function putCoverage(in1: Segment, patient: PutPatient, draft: Draft): void {
  const plan = in1.text(2)
  const policy = in1.text(36)
  const insurer = payor(in1, draft)
  if (plan === undefined && policy === undefined && insurer === undefined) return
  const key = derivedKey(draft, 'coverage', keyText(patient.key), plan ?? '', in1.text(3) ?? '', policy ?? '')
  const relation = in1.text(17)?.trim().toUpperCase()
  const related = rowOf(subscriberRelationship, relation ?? '')
  const start = date(in1.part(12), at(draft, in1, 12))
  const end = date(in1.part(13), at(draft, in1, 13))
  const period = compact<{ start?: string; end?: string }>({ start, end })
  const resource: Omit<Coverage, 'status'> = {
    resourceType: 'Coverage',
    identifier: [keyIdentifier(key)],
    beneficiary: patient.reference,
    payor: [insurer ?? { display: 'unknown' }],
    ...compact<Partial<Coverage>>({
      type: cweOf('0086')(in1.part(15), at(draft, in1, 15)),
      policyHolder: xon(in1.part(11), at(draft, in1, 11)),
      subscriber: relation === 'SEL' || relation === '18' ? patient.reference : insured(in1, related, draft),
      subscriberId: in1.text(49) ?? subscriberNumber(in1) ?? policy,
      relationship:
        related === undefined
          ? undefined
          : concept('http://terminology.hl7.org/CodeSystem/subscriber-relationship', related),
      period: period !== undefined && isOrdered(period) ? period : undefined,
      class: classes(in1),
    }),
  }
  // Sound: the default gives the status that R4 demands.
  draft.put(resource as Coverage, { key, defaults: { status: 'active' }, saidBy: in1 })
}

/** IN1-16: another than the patient is known by name alone. Where the relation is not known it may be either. */
function insured(in1: Segment, related: string | undefined, draft: Draft): Reference | undefined {
  const name = humanName(readXpn(in1.part(16)) ?? {}, at(draft, in1, 16))
  const display = name === undefined ? '' : shownName(name)
  if (display === '') return undefined
  return related === undefined ? { display } : { type: 'RelatedPerson', display }
}

/** IN1-10, where its type says that it is the number of the subscriber. */
const subscriberNumber = (in1: Segment): string | undefined =>
  in1
    .repetitions(10)
    .find((part) => part.text(5)?.trim().toUpperCase() === 'SN')
    ?.text(1)

/** IN1-3 identifies the insurer, IN1-4 names it, IN1-5 says where it is. */
function payor(in1: Segment, draft: Draft): Reference | undefined {
  const name = readXon(in1.part(4))?.name
  const identifier: Identifier | undefined = cx(in1.part(3), at(draft, in1, 3))
  if (identifier === undefined) return name === undefined ? undefined : { type: 'Organization', display: name }
  const { use: _use, ...address } = xad(in1.part(5), at(draft, in1, 5)) ?? {}
  const resource: Organization = {
    resourceType: 'Organization',
    identifier: [identifier],
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(address).length === 0 ? {} : { address: [address] }),
  }
  const reference = draft.put(resource, { key: identifierKey(identifier), mode: 'ensure' })
  return { ...reference, ...(name === undefined ? {} : { display: name }) }
}

/** The plan (IN1-2, 35) and the group (IN1-8, 9). */
function classes(in1: Segment): CoverageClass[] {
  const system = 'http://terminology.hl7.org/CodeSystem/coverage-class'
  const rows = [
    { code: 'plan', value: in1.text(2), name: in1.part(2)?.componentText(2) ?? in1.text(35) },
    { code: 'group', value: in1.text(8), name: in1.text(9) },
  ]
  return rows.flatMap(({ code, value, name }) =>
    value === undefined ? [] : [{ type: concept(system, code), value, ...(name === undefined ? {} : { name }) }],
  )
}
