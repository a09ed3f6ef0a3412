import type { Recommendation } from './recommendation.ts'

const groupNames = ['overdue', 'due', 'immune', 'other'] as const
type GroupName = (typeof groupNames)[number]

export interface RecommendationGroup {
  readonly name: GroupName
  readonly recommendations: readonly Recommendation[]
}

/** The four groups of the specification without those that are empty; what has no status belongs to none. */
export function groupsOf(recommendations: readonly Recommendation[]): RecommendationGroup[] {
  return groupNames
    .map((name) => ({ name, recommendations: recommendations.filter((one) => groupOf(one) === name) }))
    .filter((group) => group.recommendations.length > 0)
}

function groupOf({ forecastStatus }: Recommendation): GroupName | undefined {
  if (forecastStatus === null) return undefined
  return groupNames.find((name) => name === forecastStatus) ?? 'other'
}
