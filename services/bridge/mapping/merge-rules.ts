/** How a list of the message joins the stored list: items with an equal key are replaced in their place, the others stay. */
export interface ListRule {
  /** Paths inside an item that make its key. */
  readonly by: readonly string[]
  /** Items that refer to resources of one type have one key: a message that names some names all of them. */
  readonly byReferencedType?: true
  /** An item that is told again without its use stays the old one that it is. */
  readonly staysOld?: true
  /** There is one item whose part has one of these values: a new one takes the place of the old. */
  readonly single?: { readonly part: string; readonly values: readonly string[] }
  /**
   * The list is a course. Stored items that the message does not name and that have this value get the other one; an item
   * keeps the stored parts that the message does not name.
   */
  readonly turns?: { readonly part: string; readonly from: string; readonly to: string }
}

/** Elements that are merged part by part. Every other element is replaced as a whole. */
export const mergedInside: ReadonlySet<string> = new Set([
  'meta',
  'period',
  'hospitalization',
  'context',
  'dispenseRequest',
])

const everywhere: Readonly<Record<string, ListRule>> = {
  identifier: { by: ['system', 'value'], staysOld: true },
  extension: { by: ['url'] },
  tag: { by: ['system', 'code'] },
  security: { by: ['system', 'code'] },
  // One name a use, one number a system and use: what a sender says of the home leaves the work alone.
  name: { by: ['use'] },
  telecom: { by: ['system', 'use'] },
  address: { by: ['use', 'type'] },
  // A patient has one golden record, and a record is merged into one other: what was said last.
  link: { by: ['type', 'other.reference'], single: { part: 'type', values: ['refer', 'replaced-by'] } },
}

const byType: Readonly<Record<string, Readonly<Record<string, ListRule>>>> = {
  Encounter: {
    participant: { by: ['type.0.coding.0.code'] },
    diagnosis: { by: ['condition.reference'] },
    location: {
      by: ['location.reference'],
      // A patient is in one place: whoever is said to be elsewhere has left.
      turns: { part: 'status', from: 'active', to: 'completed' },
    },
  },
  // PD1-4 says who the doctors are and leaves the practice of PD1-3 alone; whoever is not named any more has gone.
  Patient: { generalPractitioner: { by: [], byReferencedType: true } },
  Account: { subject: { by: ['reference'] } },
  Appointment: {
    participant: { by: ['actor.reference'] },
    serviceType: { by: ['coding.0.code'] },
    slot: { by: ['reference'] },
  },
  // Results come one after the other, and each message names only its own, with its files (`forms-of-results.ts`).
  DiagnosticReport: {
    result: { by: ['reference'] },
    specimen: { by: ['reference'] },
    // An order that is another patient's is named by its number.
    basedOn: { by: ['reference', 'identifier.value'] },
    presentedForm: { by: ['extension.0.valueReference.reference'] },
  },
  // A half of a blood pressure leaves the other alone (`blood-pressure.ts`).
  Observation: { hasMember: { by: ['reference'] }, component: { by: ['code.coding.0.code'] } },
  ServiceRequest: {
    specimen: { by: ['reference'] },
    supportingInfo: { by: ['reference'] },
    reasonReference: { by: ['reference'] },
  },
}

export function listRule(resourceType: string, element: string): ListRule | undefined {
  const ofType = byType[resourceType]
  return ofType !== undefined && Object.hasOwn(ofType, element)
    ? ofType[element]
    : Object.hasOwn(everywhere, element)
      ? everywhere[element]
      : undefined
}

/** `deceased` of `deceasedDateTime`: a choice has one kind. */
export const choiceOf = (element: string): string | undefined => choice.exec(element)?.[0]

const choice = /^(?:deceased|multipleBirth|onset|performed|value|effective|medication|occurrence)(?=[A-Z])/

/** What an element answers. A result has a value, or several as components, or a reason why it has none. */
export function questionOf(element: string): string {
  return choiceOf(element) ?? (element === 'dataAbsentReason' || element === 'component' ? 'value' : element)
}
