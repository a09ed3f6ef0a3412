import { formatTimestamp } from '../../../../packages/hl7/timestamp.ts'
import type { Guide } from './guide.ts'
import { showMessage } from './show-message.ts'
import { tourClinic, tourClinicCode, tourClinicReference } from './tour-clinic.ts'
import { clinicVisit } from './tour-messages.ts'
import { fullName } from './tour-patient.ts'
import type { Transaction } from './transaction.ts'

interface ConsentRecord {
  readonly id: number
}

interface Decision {
  readonly permitted: boolean
  readonly reason: string
}

/** A clinic that only the patient lets in, and then no more: the next message is refused, and why. */
export async function revokeConsent(admitted: Transaction, guide: Guide): Promise<void> {
  const { narrator, admin, patient } = guide
  const visit = (number: number) =>
    clinicVisit(patient, { facility: tourClinicCode, number }, formatTimestamp(guide.clock.now()))
  narrator.heading('5  A consent that is given and taken back', `MLLP ${guide.configuration.bridge.channels.adt.port}`)
  narrator.say(
    `${tourClinic.name} may write about nobody. ${fullName(patient)} lets it: two consents, one for the record and one for the person in the patient index, and its message is taken.`,
  )
  narrator.lines([''])
  await admin.send('PUT', 'fhir', `/Organization/${tourClinic.id}`, tourClinic)
  const records = await permitClinic(admitted, guide)
  await showMessage(visit(1), 'AA', guide)
  await narrator.pause()

  for (const { id } of records)
    await admin.send('POST', 'consent', `/api/consent/${id}/revoke?reason=Asked+for+by+the+patient`)
  narrator.lines([
    '',
    `Consent ${records.map(({ id }) => id).join(' and ')} ${narrator.colour('bold', 'revoked')}. The clinic sends again:`,
    '',
  ])
  const { ackCode, ackText = '' } = await showMessage(visit(2), 'AR', guide)
  narrator.lines(['', `What the sender is told: ${narrator.colour('red', ackCode)}`])
  narrator.say(`“${ackText}”`)
  narrator.lines(['', 'Why, in the words of the consent service:'])
  for (const line of await reasonsOf(admitted, guide)) narrator.lines([line])
  narrator.lines([''])
  narrator.say('Nothing of it was stored. The message is kept, and can be tried again when the consent is back.')
}

/** Consent holds for a record and, apart from it, for the person whom several records stand for. */
const patientsOf = ({ patient, goldenPatientId }: Transaction): string[] => [
  ...new Set([patient, `Patient/${goldenPatientId}`].filter((reference) => reference !== null)),
]

async function permitClinic(admitted: Transaction, { admin }: Guide): Promise<ConsentRecord[]> {
  const records: ConsentRecord[] = []
  for (const patientId of patientsOf(admitted)) {
    const consent = { patientId, actorReference: tourClinicReference, provisionType: 'permit', scopeContext: 'patient' }
    const scopeValues = ['patient/*.cruds']
    records.push(await admin.send<ConsentRecord>('POST', 'consent', '/api/consent', { ...consent, scopeValues }))
  }
  return records
}

async function reasonsOf(admitted: Transaction, { narrator, admin }: Guide): Promise<string[]> {
  const [patientId = ''] = patientsOf(admitted)
  const question = new URLSearchParams({ patientId, actorReference: tourClinicReference })
  question.set('resourceType', 'Patient')
  question.set('fhirOperation', 'UPDATE')
  const { reason } = await admin.send<Decision>('POST', 'consent', `/api/consent/evaluate?${question.toString()}`)
  return reason.split('; ').map((part) => {
    const [, check = '', result] = /^(.*) – (ok|failed|no record)$/.exec(part) ?? [part, part]
    if (result === undefined) return `    ${check}`
    return `  ${result === 'ok' ? narrator.colour('green', '✓') : narrator.colour('red', '✗')} ${check}`
  })
}
