import { empty, evn, hl7Time, msh, obx, pid, pv1, shortId } from './hl7-segments.ts'
import type { Hl7Fields, Hl7MessageDeps, Hl7Result } from './hl7-segments.ts'

export type { Hl7Fields, Hl7MessageDeps, Hl7Result } from './hl7-segments.ts'

/** Values go in as they are: a test may write escapes, repetitions or nonsense. */
export function adtA01(fields: Hl7Fields, deps: Hl7MessageDeps): string {
  return message('ADT^A01^ADT_A01', fields, deps, [evn('A01', deps), pid(fields), pv1(fields)])
}

/** The change of a patient's data. */
export function adtA08(fields: Hl7Fields, deps: Hl7MessageDeps): string {
  return message('ADT^A08^ADT_A01', fields, deps, [evn('A08', deps), pid(fields), pv1(fields)])
}

interface OruFields extends Hl7Fields {
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

interface VxuFields extends Hl7Fields {
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
  const given = ['RXA', '0', '1', administeredOn, administeredOn, vaccine]
  const dose = [...given, '0.5', 'mL^milliliter^UCUM', '', '00^New^NIP001']
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
