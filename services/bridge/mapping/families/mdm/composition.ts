import type {
  Composition,
  CompositionSection,
  DocumentReference,
  Identifier,
  Reference,
} from '../../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../../packages/hl7/index.ts'
import { at, warnAt } from '../../at.ts'
import { rowOf } from '../../code-map.ts'
import { compact } from '../../compact.ts'
import type { Draft } from '../../draft.ts'
import { dateTime } from '../../dt/ts.ts'
import type { Key } from '../../mapped.ts'
import { keyIdentifier } from '../../keys.ts'
import { saidAt } from '../../segments/evn.ts'
import { attesters } from '../../segments/txa.ts'
import { documentConfidentiality } from '../../v/0272-document-confidentiality.ts'
import type { ContentPart } from './content.ts'

export interface AboutDocument {
  readonly key: Key
  readonly document: DocumentReference
  readonly parts: readonly ContentPart[]
  readonly relatesTo?: { readonly code: 'appends' | 'replaces'; readonly parent: Identifier }
}

/** The text of a document as a Composition. None when nothing of it is text: then the files say it all. */
export function putComposition({ key, document, parts, relatesTo }: AboutDocument, txa: Segment, draft: Draft): void {
  const section = parts.flatMap(sectionOf)
  if (section.length === 0) return
  const date = dateTime(txa.part(6), at(draft, txa, 6)) ?? dateTime(txa.part(4), at(draft, txa, 4)) ?? saidAt(draft)
  if (date === undefined) {
    warnAt(at(draft, txa, 6), 'not-kept', 'The document has no date, so its text is kept in the attachment only.')
    return
  }
  const facility: Reference = { reference: draft.context.facility.organization }
  const title = document.description ?? document.type?.text ?? 'Document'
  const resource: Partial<Composition> & Pick<Composition, 'resourceType'> = {
    resourceType: 'Composition',
    identifier: keyIdentifier(key),
    date,
    section,
    ...compact<Partial<Composition>>({
      status: document.docStatus,
      type: document.type,
      author: document.author,
      title: document.description,
      subject: document.subject,
      encounter: document.context?.encounter?.[0],
      confidentiality: rowOf(documentConfidentiality, txa.text(18) ?? '')?.code,
      attester: attesters(txa, draft),
      relatesTo: relatesTo && [{ code: relatesTo.code, targetIdentifier: relatesTo.parent }],
    }),
  }
  // Sound: the defaults give what R4 demands. Who does not say that a document is signed has not signed it.
  draft.put(resource as Composition, {
    key,
    defaults: { status: 'preliminary', type: { text: 'Document' }, author: [facility], title, custodian: facility },
  })
}

/** What a later message says of a text that the store may have: its status, and that it is no longer the text of the document. */
export function amendComposition(key: Key, { status, subject, isGone = false }: AmendedText, draft: Draft): void {
  if (status === undefined && !isGone) return
  const told = status === undefined ? {} : { status }
  // Sound: it is merged into a resource that has the rest, and creates none.
  draft.put({ resourceType: 'Composition', identifier: keyIdentifier(key), ...told } as Composition, {
    key,
    mode: 'amend',
    ...(subject === undefined ? {} : { defaults: { subject } }),
    ...(isGone ? { deletes: ['section'] } : {}),
  })
}

export interface AmendedText {
  readonly status: Composition['status'] | undefined
  readonly subject: Reference | undefined
  readonly isGone?: boolean
}

function sectionOf({ code, text }: ContentPart): CompositionSection[] {
  // A narrative of nothing but blanks and control characters is none.
  if (text === undefined || !/[^\0- ]/.test(text)) return []
  return [
    {
      ...(code?.text === undefined ? {} : { title: code.text }),
      ...(code === undefined ? {} : { code }),
      text: { status: 'generated', div: narrative(text) },
    },
  ]
}

const narrative = (text: string): string =>
  `<div xmlns="http://www.w3.org/1999/xhtml"><p>${text.split('\n').map(escaped).join('<br/>')}</p></div>`

const escaped = (line: string): string =>
  line.replaceAll(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)
