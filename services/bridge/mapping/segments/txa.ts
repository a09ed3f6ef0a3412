import type { CodeableConcept, CompositionAttester, Identifier } from '../../../../packages/fhir/r4.ts'
import type { Part, Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { by, codeText, coding, rowOf, v2System } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from '../dt/cwe.ts'
import { ei, orderNumbered } from '../dt/ei.ts'
import { dateTime, instant } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import { ownExtensionRow, text } from '../extensions.ts'
import { readableKey } from '../drafted-keys.ts'
import { keyIdentifier } from '../keys.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { documentCompletion } from '../v/0271-document-completion.ts'
import { documentConfidentiality } from '../v/0272-document-confidentiality.ts'
import { documentAvailability } from '../v/0273-document-availability.ts'

/** TXA to DocumentReference, the index of the document. Content (OBX) and kin (13) stand in `families/mdm`. */
export const txaToDocumentReference: SegmentMap = {
  segment: 'TXA',
  resource: 'DocumentReference',
  rows: [
    row(2, 'Document Type', 'type', cweOf('0270')),
    dateRow(4, 'Activity Date/Time', 'context.period.start', dateTime),
    dateRow(6, 'Origination Date/Time', 'date', instant),
    row(9, 'Originator Code/Name', 'author[]', xcn),
    row(10, 'Assigned Document Authenticator', 'authenticator', xcn),
    row(12, 'Unique Document Number', 'masterIdentifier', ei()),
    row(12, 'Unique Document Number', 'identifier[]', ei()),
    row(14, 'Placer Order Number', 'context.related[]', orderNumbered('PLAC')),
    row(15, 'Filler Order Number', 'context.related[]', orderNumbered('FILL')),
    row(16, 'Unique Document File Name', 'identifier[]', fileName),
    row(17, 'Document Completion Status', 'docStatus', by(documentCompletion)),
    row(18, 'Document Confidentiality Status', 'securityLabel[]', confidentiality),
    row(19, 'Document Availability Status', 'status', by(documentAvailability)),
    ownExtensionRow(19, 'Document Availability Status', 'document-availability', 'valueCoding', (part) => {
      const code = codeText(part.text(1))
      return code === undefined || code === 'AV' ? undefined : coding(v2System('0273'), code)
    }),
    ownExtensionRow(21, 'Document Change Reason', 'document-change-reason', 'valueString', text),
    row(25, 'Document Title', 'description', text),
  ],
}

/** TXA-22 (PPN): who signed, and when; without it TXA-10, whose signature the completion status (17) tells of. */
export function attesters(txa: Segment, draft: Draft): CompositionAttester[] {
  const signed = txa.repetitions(22).flatMap((part, repetition) => {
    const place = at(draft, txa, 22, repetition)
    const party = xcn(part, place)
    const time = dateTime(part.part(15), place)
    if (party === undefined && time === undefined) return []
    return [
      { mode: 'legal' as const, ...(time === undefined ? {} : { time }), ...(party === undefined ? {} : { party }) },
    ]
  })
  if (signed.length > 0 || rowOf(documentCompletion, txa.text(17) ?? '') !== 'final') return signed
  const party = xcn(txa.part(10), at(draft, txa, 10))
  return party === undefined ? [] : [{ mode: 'legal', party }]
}

function confidentiality(part: Part, place: At): CodeableConcept | undefined {
  const sent = cweOf('0272')(part, place)
  const mapped = rowOf(documentConfidentiality, part.text(1) ?? '')
  if (mapped === undefined) return sent
  return { coding: [coding(confidentialities, mapped.code, mapped.display), ...(sent?.coding ?? [])] }
}

const confidentialities = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality'

function fileName(part: Part, { draft }: At): Identifier | undefined {
  const name = text(part)
  return name === undefined ? undefined : keyIdentifier(readableKey(draft, 'document-file', name))
}
