import type { Attachment, Observation, Reference } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { bloodPressures } from './blood-pressure.ts'
import type { Draft } from './draft.ts'
import {
  readObservation,
  referenceOf,
  sentCode,
  timeOfResult,
  type ReadObservation,
  type ResultLines,
} from './observation.ts'
import type { ObservationAbout } from './observation-about.ts'
import { linesOf } from './segments/obx-value.ts'

export interface PutObservation {
  readonly reference: Reference
  readonly resource: Observation
  readonly obx: Segment
  readonly attachments: readonly Attachment[]
  /** It was taken back (OBX-11 D or W): nothing should refer to it. */
  readonly isMistake: boolean
}

/**
 * The OBXs among these segments (and their NTEs) to Observations: lines of a text are joined, systolic and diastolic
 * pressure become one panel, and sub-ids like `1.2` make members of the result `1`.
 */
export function putObservations(
  segments: readonly Segment[],
  about: ObservationAbout,
  draft: Draft,
): readonly PutObservation[] {
  if (!segments.some(({ name }) => name === 'OBX')) return []
  const results = resultsOf(segments)
  const codes = new Map<string, number>()
  for (const { obx } of results) codes.set(sentCode(obx), (codes.get(sentCode(obx)) ?? 0) + 1)
  const series =
    about.isToldByTime === true
      ? new Map<Segment, number>()
      : seriesIn(
          results.map(({ obx }) => obx),
          draft,
        )
  const keys = { numbers: new Set<string>(), counts: new Map<string, number>(), codes, series }
  const read = results.map((lines) => readObservation(lines, keys, about, draft)).filter((one) => one !== undefined)
  const told = bloodPressures(read, about, draft)
  addMembers(told, draft)
  return told.map(({ resource, options, obx, attachments, isMistake }) => ({
    reference: draft.put(resource, options),
    resource,
    obx,
    attachments,
    isMistake,
  }))
}

/**
 * Results of one code, and of one OBX-4 if any, that nothing but their time (OBX-14) tells apart, each with its place by that: a curve
 * may be sent again from its end, or only a part of it.
 */
function seriesIn(obxs: readonly Segment[], draft: Draft): ReadonlyMap<Segment, number> {
  const alike = Map.groupBy(obxs, (obx) => `${sentCode(obx)} ${obx.text(4)?.trim() ?? ''}`)
  const places = new Map<Segment, number>()
  for (const group of alike.values()) {
    if (group.length < 2) continue
    const timed = group.map((obx) => ({
      obx,
      time: obx.text(21) === undefined ? (timeOfResult(obx, draft) ?? '') : '',
    }))
    const times = new Set(timed.map(({ time }) => time))
    if (times.size < group.length || times.has('')) continue
    const inTime = timed.toSorted((one, other) => (one.time < other.time ? -1 : 1))
    for (const [place, { obx }] of inTime.entries()) places.set(obx, place)
  }
  return places
}

/** Each OBX with the notes after it. OBXs that carry on the text of the one before are its lines. */
function resultsOf(segments: readonly Segment[]): ResultLines[] {
  const results: { obx: Segment; lines?: string[]; flagged?: Segment[]; notes: Segment[] }[] = []
  for (const segment of segments) {
    const last = results.at(-1)
    if (segment.name === 'NTE') last?.notes.push(segment)
    if (segment.name !== 'OBX') continue
    if (last?.lines !== undefined && last.notes.length === 0 && isSameText(last.obx, segment)) {
      for (const line of linesOf(segment)) last.lines.push(line)
      if ((segment.rawField(8) ?? '') !== '') (last.flagged ??= []).push(segment)
    } else results.push({ obx: segment, ...(isText(segment) ? { lines: linesOf(segment) } : {}), notes: [] })
  }
  return results
}

const isText = (obx: Segment): boolean => /^(TX|FT)$/i.test(obx.text(2)?.trim() ?? '')

/** The same code, sub-id and status, and no other time: only OBX-1 and the line differ. */
function isSameText(first: Segment, next: Segment): boolean {
  if (!isText(next) || next.rawField(21) !== first.rawField(21)) return false
  if (next.text(14) !== undefined && next.text(14) !== first.text(14)) return false
  const isMistake = /^[DW]$/i.test(next.text(11)?.trim() ?? '')
  return !isMistake && [2, 3, 4, 11].every((field) => (first.rawField(field) ?? '') === (next.rawField(field) ?? ''))
}

/** OBX-4 with points is a tree: `1.1` and `1.2` belong to `1`. */
function addMembers(results: readonly ReadObservation[], draft: Draft): void {
  const bySubId = new Map<string, ReadObservation>()
  for (const one of results) {
    const subId = one.obx.text(4)?.trim()
    if (subId !== undefined && !one.isMistake && !bySubId.has(subId)) bySubId.set(subId, one)
  }
  const children = Map.groupBy(results, (one) => {
    const subId = one.obx.text(4)?.trim() ?? ''
    return subId.includes('.') ? bySubId.get(subId.slice(0, subId.lastIndexOf('.'))) : undefined
  })
  const members = new Members()
  for (const [parent, ofParent] of children) {
    if (parent === undefined) continue
    const others = ofParent.filter((one) => one !== parent && !one.isMistake)
    members.add(
      parent.resource,
      others.map((one) => referenceOf(one, draft)),
    )
  }
}

/** Members of results. Thousands of orders may each add some to one of them. */
export class Members {
  readonly #known = new Map<Observation, Set<string | undefined>>()

  add(parent: Observation, members: readonly Reference[]): void {
    const known = this.#knownOf(parent)
    const others = members.filter(({ reference }) => !known.has(reference))
    if (others.length === 0) return
    parent.hasMember ??= []
    for (const other of others) {
      parent.hasMember.push(other)
      known.add(other.reference)
    }
    // A panel needs no value of its own.
    delete parent.dataAbsentReason
  }

  #knownOf(parent: Observation): Set<string | undefined> {
    const known = this.#known.get(parent) ?? new Set(parent.hasMember?.map(({ reference }) => reference))
    this.#known.set(parent, known)
    return known
  }
}
