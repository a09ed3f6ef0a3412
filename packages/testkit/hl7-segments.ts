import type { Clock } from '../clock/clock.ts'
import type { Ids } from '../clock/ids.ts'

/** What a test may want to say of the person and the sender; everything has a sensible value. */
export interface Hl7Fields {
  readonly sendingApplication?: string
  readonly sendingFacility?: string
  readonly receivingApplication?: string
  readonly receivingFacility?: string
  readonly controlId?: string
  readonly version?: string
  readonly processingId?: string
  readonly patientId?: string
  readonly assigningAuthority?: string
  readonly familyName?: string
  readonly givenName?: string
  readonly birthDate?: string
  readonly sex?: string
  readonly phone?: string
  readonly city?: string
  readonly visitNumber?: string
  readonly ward?: string
  /** Segments to put after the builder's own. */
  readonly more?: readonly string[]
}

export interface Hl7MessageDeps {
  readonly ids: Ids
  readonly clock: Clock
}

export interface Hl7Result {
  readonly code: string
  readonly name: string
  readonly codeSystem?: string
  /** OBX-2; NM unless said otherwise. */
  readonly type?: string
  readonly value: string
  readonly unit?: string
  readonly range?: string
  readonly flag?: string
}

export function msh(type: string, fields: Hl7Fields, { ids, clock }: Hl7MessageDeps): string {
  const { sendingApplication = 'HIS', sendingFacility = 'CENTRAL', controlId = shortId(ids) } = fields
  const {
    receivingApplication = 'CORRIDOR',
    receivingFacility = 'EXCHANGE',
    version = '2.5.1',
    processingId = 'P',
  } = fields
  const sender = [sendingApplication, sendingFacility, receivingApplication, receivingFacility]
  return ['MSH', '^~\\&', ...sender, hl7Time(clock), '', type, controlId, processingId, version].join('|')
}

export const evn = (event: string, { clock }: Hl7MessageDeps) => ['EVN', event, hl7Time(clock)].join('|')

export function pid(fields: Hl7Fields): string {
  const { patientId = '10004711', assigningAuthority = 'CENTRAL', sex = 'F', birthDate = '19840317' } = fields
  const { familyName = 'Okafor', givenName = 'Ngozi', phone = '+234805550147', city = 'Enugu' } = fields
  const identifier = `${patientId}^^^${assigningAuthority}^MR`
  const address = `12 Zik Avenue^^${city}^^400001^NGA`
  const name = `${familyName}^${givenName}`
  const person = ['PID', '1', '', identifier, '', name, '', birthDate, sex]
  return [...person, '', '', address, '', phone].join('|')
}

export function pv1({ visitNumber = '90004711', ward = 'W1^101^A' }: Hl7Fields): string {
  return ['PV1', '1', 'I', ward, ...empty(15), visitNumber].join('|')
}

export function obx(result: Hl7Result, index: number, at: string): string {
  const { code, name, codeSystem = 'LN', type = 'NM', value, unit = '', range = '', flag = 'N' } = result
  const observation = ['OBX', String(index + 1), type, `${code}^${name}^${codeSystem}`, '', value, unit, range, flag]
  return [...observation, '', '', 'F', '', '', at].join('|')
}

export const empty = (count: number) => Array.from({ length: count }, () => '')

/** Twenty signs: what MSH-10 may hold in every version of the standard. */
export const shortId = (ids: Ids) => ids.uuid().replaceAll('-', '').slice(0, 20).toUpperCase()

export const hl7Time = (clock: Clock) => `${clock.now().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+0000`
