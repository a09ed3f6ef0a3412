import { describe, expect, it } from 'vitest'
import type { Encounter } from '../../../../packages/fhir/r4.ts'
import type { KnownVisit } from '../known-visits.ts'
import { encounter } from '../testing/clinical-resources.ts'
import type { MessageContext } from './outbound-message.ts'
import { visitEvent } from './visit-event.ts'

const context: MessageContext = {
  authorities: { base: 'https://corridor.example', namespaces: new Map() },
  resolve: () => undefined,
  ...{ sender: { application: 'CORRIDOR', facility: 'HIE' }, receiver: { application: 'A', facility: 'B' } },
  ...{ at: new Date(0), controlId: 'C', transactionId: 't', messageType: 'ADT^A08', isChange: true },
}

type Status = Encounter['status']

/** `in-progress IMP bed-1` */
function visit(text: string): Encounter {
  const [status = '', code = '', place] = text.split(' ')
  const location =
    place === undefined ? [] : [{ location: { reference: `Location/${place}` }, status: 'active' as const }]
  // Sound: the tests name statuses of visits.
  return { ...encounter(status as Status, code), location }
}

const eventOf = (now: string, known: Partial<KnownVisit> = {}, messageType = 'ADT^A08') => {
  const heard = { isKnown: true, isKnownAsBefore: true, before: undefined, ...known }
  return visitEvent(visit(now), { ...context, messageType, known: heard }).join(' ')
}

describe('what has happened to a visit', () => {
  it.each([
    ['in-progress IMP', 'A01 ADT_A01'],
    ['arrived EMER', 'A04 ADT_A01'],
    ['finished IMP', 'A03 ADT_A03'],
    ['planned IMP', 'A05 ADT_A05'],
    ['cancelled IMP', 'A11 ADT_A09'],
    ['entered-in-error IMP', 'A23 ADT_A21'],
  ])('is to whom it is new what its status tells of: %s is %s', (now, event) => {
    const known = { isKnown: false, isKnownAsBefore: false, before: visit(now) }
    expect(eventOf(now, known)).toBe(event)
    expect(visitEvent(visit(now), context).join(' ')).toBe(event)
  })

  it.each([
    ['in-progress IMP bed-1', 'in-progress IMP bed-1', 'A08 ADT_A01'],
    ['arrived EMER', 'triaged EMER', 'A08 ADT_A01'],
    ['in-progress IMP bed-1', 'in-progress IMP bed-2', 'A02 ADT_A02'],
    ['in-progress EMER bed-1', 'in-progress EMER bed-2', 'A02 ADT_A02'],
    ['in-progress IMP', 'in-progress IMP bed-1', 'A08 ADT_A01'],
    ['in-progress IMP bed-1', 'in-progress IMP', 'A08 ADT_A01'],
    ['in-progress IMP bed-1', 'finished IMP', 'A03 ADT_A03'],
    ['finished IMP', 'finished IMP', 'A08 ADT_A01'],
    ['finished IMP', 'in-progress IMP', 'A13 ADT_A01'],
    ['finished EMER', 'in-progress EMER', 'A13 ADT_A01'],
    ['planned IMP bed-1', 'planned IMP bed-2', 'A08 ADT_A01'],
    ['planned IMP', 'in-progress IMP', 'A01 ADT_A01'],
    ['planned AMB', 'arrived AMB', 'A04 ADT_A01'],
    ['in-progress EMER', 'in-progress IMP', 'A06 ADT_A06'],
    ['in-progress IMP', 'in-progress AMB', 'A07 ADT_A06'],
    ['in-progress IMP', 'cancelled IMP', 'A11 ADT_A09'],
    ['cancelled IMP', 'cancelled IMP', 'A11 ADT_A09'],
    ['entered-in-error IMP', 'entered-in-error IMP', 'A23 ADT_A21'],
    ['cancelled IMP', 'in-progress IMP', 'A01 ADT_A01'],
  ])('is to who has heard of it what has changed: from %s to %s is %s', (before, now, event) => {
    expect(eventOf(now, { before: visit(before) })).toBe(event)
  })

  it.each([
    ['ADT^A08', 'A08 ADT_A01'],
    ['ORU^R01', 'A08 ADT_A01'],
    ['ADT^A01', 'A01 ADT_A01'],
    ['ADT^A02', 'A01 ADT_A01'],
  ])('is what the message says where nobody can say what was before: %s is %s', (messageType, event) => {
    expect(eventOf('in-progress IMP', {}, messageType)).toBe(event)
  })
})
