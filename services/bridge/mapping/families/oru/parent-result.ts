import type { Segment } from '../../../../../packages/hl7/index.ts'
import type { OrderGroup } from '../../order-group.ts'
import type { PutObservation } from '../../observations.ts'

/**
 * The results so far, to find the one that a later order was made for: the organism whose susceptibilities are tested.
 * OBR-29 names the order of the result, OBR-26 its OBX-3 and OBX-4.
 */
export class EarlierResults {
  readonly #byCode = new Map<string, ResultsOfCode>()

  add(group: OrderGroup, results: readonly PutObservation[]): void {
    for (const result of results) {
      const code = result.obx.text(3)?.trim()
      if (result.isMistake || code === undefined) continue
      const sameCode = this.#byCode.get(code) ?? new ResultsOfCode()
      this.#byCode.set(code, sameCode)
      sameCode.add({ group, result })
    }
  }

  parentOf({ obr }: OrderGroup): PutObservation | undefined {
    const code = obr?.text(26, 1, 1)?.trim()
    return obr === undefined || code === undefined ? undefined : this.#byCode.get(code)?.parentOf(obr)
  }
}

interface EarlierResult {
  readonly group: OrderGroup
  readonly result: PutObservation
}

/** In the order in which they were sent: of several that an order may mean, the first is its parent. */
class ResultsOfCode {
  readonly #results: EarlierResult[] = []
  /** Where the first result of each name stands. Nobody asks in most messages, so they are named when somebody does. */
  readonly #places = new Map<string, number>()
  #namedCount = 0

  add(one: EarlierResult): void {
    this.#results.push(one)
  }

  parentOf(obr: Segment): PutObservation | undefined {
    this.#nameResults()
    const places = namesMeantBy(obr).flatMap((name) => this.#places.get(name) ?? [])
    return this.#results[Math.min(...places)]?.result
  }

  #nameResults(): void {
    for (const one of this.#results.slice(this.#namedCount)) {
      for (const name of namesOf(one)) if (!this.#places.has(name)) this.#places.set(name, this.#namedCount)
      this.#namedCount++
    }
  }
}

/** What is not asked for, and what is not known: an order is meant by its number as far as both say one. */
const anything = null
const unknown = false

/** OBX-4 and the numbers of the order, with each of them left out: an order need not say all of them. */
function namesOf({ group, result }: EarlierResult): string[] {
  const subId = result.obx.text(4)?.trim()
  return allNames(
    subId === undefined ? [anything] : [subId, anything],
    [group.placer?.value ?? unknown, anything],
    [group.filler?.value ?? unknown, anything],
  )
}

/** OBR-26 and OBR-29. */
function namesMeantBy(obr: Segment): string[] {
  const number = (component: 1 | 2): readonly NamePart[] => {
    const sent = obr.text(29, component)?.trim()
    return sent === undefined ? [anything] : [sent, unknown]
  }
  return allNames([obr.text(26, 2)?.trim() ?? anything], number(1), number(2))
}

type NamePart = string | typeof anything | typeof unknown

const allNames = (subIds: readonly NamePart[], placers: readonly NamePart[], fillers: readonly NamePart[]): string[] =>
  subIds.flatMap((subId) =>
    placers.flatMap((placer) => fillers.map((filler) => JSON.stringify([subId, placer, filler]))),
  )
