import type { Attachment, CodeableConcept } from '../../../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../../../packages/hl7/index.ts'
import { at } from '../../at.ts'
import type { Draft } from '../../draft.ts'
import { cwe } from '../../dt/cwe.ts'
import { ed, rp, textAttachment } from '../../dt/ed.ts'

/** Neighbouring OBX with one OBX-3: a part of the document. A text is also a section of the Composition. */
export interface ContentPart {
  readonly code?: CodeableConcept
  readonly attachments: readonly Attachment[]
  readonly text?: string
}

/** The content of a document, in the order in which it was sent. */
export function contentOf({ all }: Pick<SegmentList, 'all'>, draft: Draft): ContentPart[] {
  const notes = notesIn(all)
  return partsOf(all).map((part) => {
    const [first] = part
    const code = first && cwe(first.part(3), at(draft, first, 3))
    const titled = (attachment: Attachment): Attachment =>
      code?.text === undefined ? attachment : { title: code.text, ...attachment }
    const text = part
      .flatMap((obx) => (isFile(obx) ? [] : [...linesOf(obx), ...(notes.get(obx) ?? [])]))
      .join('\n')
      .trim()
    const files = part.flatMap((obx) => (isFile(obx) ? filesOf(obx, draft) : []))
    return {
      ...(code === undefined ? {} : { code }),
      ...(text === '' ? {} : { text }),
      attachments: [...(text === '' ? [] : [textAttachment(text)]), ...files].map(titled),
    }
  })
}

function partsOf(all: readonly Segment[]): Segment[][] {
  const parts: Segment[][] = []
  let lastCode: string | undefined
  for (const obx of all.filter(({ name }) => name === 'OBX')) {
    const sent = obx.part(3)
    const code = sent?.componentText(1) ?? sent?.componentText(2) ?? ''
    if (parts.length === 0 || code !== lastCode) parts.push([])
    lastCode = code
    parts.at(-1)?.push(obx)
  }
  return parts
}

const typeOf = (obx: Segment): string => obx.text(2)?.trim().toUpperCase() ?? ''

const isFile = (obx: Segment): boolean => typeOf(obx) === 'ED' || typeOf(obx) === 'RP'

function filesOf(obx: Segment, draft: Draft): Attachment[] {
  const read = typeOf(obx) === 'ED' ? ed : rp
  return obx
    .repetitions(5)
    .map((part, repetition) => read(part, at(draft, obx, 5, repetition)))
    .filter((attachment) => attachment !== undefined)
}

/** The lines of a text, or of any other value as people read it. */
function linesOf(obx: Segment): string[] {
  const isCoded = ['CWE', 'CE', 'CNE', 'CF'].includes(typeOf(obx))
  const values = obx
    .repetitions(5)
    .map((part) => (isCoded ? (part.componentText(2) ?? part.componentText(1) ?? '') : part.whole))
  const unit = obx.text(6, 2) ?? obx.text(6)
  return unit === undefined || values.length === 0 ? values : [`${values.join(', ')} ${unit}`]
}

/** The lines of the notes right behind each OBX. */
function notesIn(all: readonly Segment[]): ReadonlyMap<Segment, readonly string[]> {
  const notes = new Map<Segment, string[]>()
  let lines: string[] | undefined
  for (const segment of all) {
    if (segment.name === 'OBX') notes.set(segment, (lines = []))
    else if (segment.name !== 'NTE') lines = undefined
    else if (lines !== undefined) for (const part of segment.repetitions(3)) lines.push(part.whole)
  }
  return notes
}
