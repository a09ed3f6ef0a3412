import type { Annotation } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { dateTime } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'

/** Neighbouring NTEs are one note: their lines joined, time and author of the first that has them. */
export function note(segments: readonly Segment[], draft: Draft): Annotation | undefined {
  const lines = segments.flatMap((nte) => nte.repetitions(3).map((part) => part.whole))
  const text = lines.join('\n').trimEnd()
  if (text.trim() === '') return undefined
  const timed = segments.find((nte) => nte.text(6) !== undefined)
  const authored = segments.find((nte) => nte.text(5) !== undefined)
  return compact<Annotation>({
    text,
    time: timed && dateTime(timed.part(6), at(draft, timed, 6)),
    authorReference: authored && xcn(authored.part(5), at(draft, authored, 5)),
  })
}

/** The notes among these segments but for those on a result (OBX): what stands between two divides one from the next. */
export function notesIn(segments: readonly Segment[], draft: Draft): Annotation[] {
  const runs: Segment[][] = []
  let last: string | undefined
  for (const segment of segments) {
    if (segment.name !== 'NTE') last = segment.name
    else if (last === 'NTE') runs.at(-1)?.push(segment)
    else if (last !== 'OBX') {
      runs.push([segment])
      last = 'NTE'
    }
  }
  return runs.map((run) => note(run, draft)).filter((one) => one !== undefined)
}
