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

/** Values go in as they are: a test may write escapes, repetitions or nonsense. */
export function adtA01(fields: Hl7Fields, deps: Hl7MessageDeps): string {
  return message('ADT^A01^ADT_A01', fields, deps, [evn('A01', deps), pid(fields), pv1(fields)])
}

/** The change of a patient's data. */
export function adtA08(fields: Hl7Fields, deps: Hl7MessageDeps): string {
  return message('ADT^A08^ADT_A01', fields, deps, [evn('A08', deps), pid(fields), pv1(fields)])
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

export interface OruFields extends Hl7Fields {
  readonly orderNumber?: string
  readonly results?: readonly Hl7Result[]
}

export function oruR01(fields: OruFields, deps: Hl7MessageDeps): string {
  const { orderNumber = `O${shortId(deps.ids)}`, results = [haemoglobin] } = fields
  const at = hl7Time(deps.clock)
  const order = ['OBR', '1', orderNumber, `F${orderNumber}`, '58410-2^CBC panel^LN', '', '', at]
  const obr = [...order, ...empty(14), at, '', '', 'F'].join('|')
  return message('ORU^R01^ORU_R01', fields, deps, [
    pid(fields),
    pv1(fields),
    obr,
    ...results.map((result, index) => obx(result, index, at)),
  ])
}

export interface VxuFields extends Hl7Fields {
  readonly orderNumber?: string
  /** CVX code and name, as in RXA-5. */
  readonly vaccine?: string
  readonly administeredOn?: string
  readonly lotNumber?: string
}

export function vxuV04(fields: VxuFields, deps: Hl7MessageDeps): string {
  const { orderNumber = `V${shortId(deps.ids)}`, vaccine = '03^MMR^CVX', lotNumber = 'L4711' } = fields
  const { administeredOn = hl7Time(deps.clock).slice(0, 8) } = fields
  const orc = ['ORC', 'RE', '', orderNumber].join('|')
  const dose = [
    'RXA',
    '0',
    '1',
    administeredOn,
    administeredOn,
    vaccine,
    '0.5',
    'mL^milliliter^UCUM',
    '',
    '00^New^NIP001',
  ]
  const rxa = [...dose, ...empty(5), lotNumber, '', 'MSD^Merck^MVX', '', '', 'CP'].join('|')
  return message('VXU^V04^VXU_V04', fields, deps, [pid(fields), orc, rxa])
}

/** Segments joined and ended by CR, as they go into a frame. */
export function hl7Text(segments: readonly string[]): string {
  return segments.map((segment) => `${segment}\r`).join('')
}

const haemoglobin: Hl7Result = { code: '718-7', name: 'Hemoglobin', value: '13.2', unit: 'g/dL', range: '12.0-16.0' }

function message(type: string, fields: Hl7Fields, deps: Hl7MessageDeps, body: readonly string[]): string {
  return hl7Text([msh(type, fields, deps), ...body, ...(fields.more ?? [])])
}

function msh(type: string, fields: Hl7Fields, { ids, clock }: Hl7MessageDeps): string {
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

const evn = (event: string, { clock }: Hl7MessageDeps) => ['EVN', event, hl7Time(clock)].join('|')

function pid(fields: Hl7Fields): string {
  const { patientId = '10004711', assigningAuthority = 'CENTRAL', sex = 'F', birthDate = '19840317' } = fields
  const { familyName = 'Okafor', givenName = 'Ngozi', phone = '+234805550147', city = 'Enugu' } = fields
  const identifier = `${patientId}^^^${assigningAuthority}^MR`
  const address = `12 Zik Avenue^^${city}^^400001^NGA`
  return [
    'PID',
    '1',
    '',
    identifier,
    '',
    `${familyName}^${givenName}`,
    '',
    birthDate,
    sex,
    '',
    '',
    address,
    '',
    phone,
  ].join('|')
}

function pv1({ visitNumber = '90004711', ward = 'W1^101^A' }: Hl7Fields): string {
  return ['PV1', '1', 'I', ward, ...empty(15), visitNumber].join('|')
}

function obx(result: Hl7Result, index: number, at: string): string {
  const { code, name, codeSystem = 'LN', type = 'NM', value, unit = '', range = '', flag = 'N' } = result
  const observation = ['OBX', String(index + 1), type, `${code}^${name}^${codeSystem}`, '', value, unit, range, flag]
  return [...observation, '', '', 'F', '', '', at].join('|')
}

const empty = (count: number) => Array.from({ length: count }, () => '')

/** Twenty signs: what MSH-10 may hold in every version of the standard. */
const shortId = (ids: Ids) => ids.uuid().replaceAll('-', '').slice(0, 20).toUpperCase()

const hl7Time = (clock: Clock) => `${clock.now().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+0000`
