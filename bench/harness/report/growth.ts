import type { Result } from '../result.ts'
import { resultOf } from './measured.ts'

/** The same work among few and among many. */
interface Growth {
  readonly benchmark: string
  readonly work: string
  readonly few: Result
  readonly many: Result
  readonly fewSize: string
  readonly manySize: string
  /** What one piece of it costs among many, by what it costs among few. */
  readonly costs: number
}

/** Variants say their size at their end (`inbox of 10,000`), so the pairs find themselves; those of consent are named. */
export function growthIn(results: readonly Result[]): Growth[] {
  const sized = new Map<string, { result: Result; size: string }[]>()
  for (const result of results) {
    const [, work, size] = /^(.*?),? (?:of |among )?(\d{1,3}(?:,\d{3})+)$/.exec(result.variant) ?? []
    if (work === undefined || size === undefined) continue
    const key = `${result.benchmark}\n${work}`
    sized.set(key, [...(sized.get(key) ?? []), { result, size }])
  }
  const found = [...sized].flatMap(([key, all]): Growth[] => {
    const [few, many] = all.toSorted((some, other) => numberOf(some.size) - numberOf(other.size))
    if (few === undefined || many === undefined) return []
    const [benchmark = '', work = ''] = key.split('\n')
    return [growth({ benchmark, work, few: few.result, many: many.result, fewSize: few.size, manySize: many.size })]
  })
  return [...found, ...consentGrowth(results)]
}

function consentGrowth(results: readonly Result[]): Growth[] {
  return ['in-process, batched', 'HTTP'].flatMap((work) => {
    const many = resultOf(results, 'consent-evaluate', work)
    const few = resultOf(results, 'consent-evaluate', `${work}, few records`)
    if (few === undefined || many === undefined) return []
    const sizes = { fewSize: '10,000', manySize: '1,000,000' }
    return [growth({ benchmark: 'consent-evaluate', work: `decisions, ${work}`, few, many, ...sizes })]
  })
}

const growth = (pair: Omit<Growth, 'costs'>): Growth => ({ ...pair, costs: pair.few.median / pair.many.median })

const numberOf = (size: string): number => Number(size.replaceAll(',', ''))
