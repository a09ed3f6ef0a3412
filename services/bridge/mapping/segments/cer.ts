import type { CodeableConcept, Identifier, Period, PractitionerQualification } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { cwe } from '../dt/cwe.ts'
import { systemOf } from '../dt/hd.ts'
import { dateTime, isOrdered } from '../dt/ts.ts'
import { xon } from '../dt/xon.ts'

/** CER: a licence or certificate (10, for what 11) with its number (2), who granted it (4) and for how long it holds. */
export function certificate(cer: Segment, draft: Draft): PractitionerQualification | undefined {
  const code = kindOf(cer, draft)
  const number = numberOf(cer, draft)
  const issuer = xon(cer.part(4), at(draft, cer, 4))
  if (code === undefined && number === undefined && issuer === undefined) return undefined
  return {
    code: code ?? { text: 'Certificate' },
    ...compact<Partial<PractitionerQualification>>({
      identifier: number && [number],
      issuer,
      period: periodOf(cer, draft),
    }),
  }
}

function kindOf(cer: Segment, draft: Draft): CodeableConcept | undefined {
  const [type, domain] = [10, 11].map((field) => cwe(cer.part(field), at(draft, cer, field)))
  const texts = [type, domain].map((one) => one?.text ?? one?.coding?.[0]?.code)
  const isOfDomain = texts.every((text) => text !== undefined)
  return type === undefined || !isOfDomain ? (type ?? domain) : { ...type, text: texts.join(', ') }
}

function numberOf(cer: Segment, { context }: Draft): Identifier | undefined {
  const value = cer.text(2)?.trim()
  return value === undefined || value === ''
    ? undefined
    : { system: systemOf(undefined, 'certificate', context), value }
}

/** From its activation (else grant, else issue) until it was revoked or made inactive, or until it expires. */
function periodOf(cer: Segment, draft: Draft): Period | undefined {
  const first = (...fields: readonly number[]) =>
    fields.map((field) => dateTime(cer.part(field), at(draft, cer, field))).find((time) => time !== undefined)
  const period = compact<Period>({ start: first(25, 23, 24), end: first(29, 26, 27) })
  return period !== undefined && isOrdered(period) ? period : undefined
}
