import type { SoughtVersion } from '../../ports/resource-matching/resource-matching.ts'

interface WrittenVersion {
  readonly type: string
  readonly id: string
  readonly versionId: string | null
  readonly operation: 'create' | 'update' | 'delete'
}

/** The version that this one has changed, where versions are counted; undefined where there is none, or nobody can say. */
export function versionBefore({ type, id, versionId, operation }: WrittenVersion): SoughtVersion | undefined {
  const number = /^[1-9]\d{0,14}$/.test(versionId ?? '') ? Number(versionId) : 1
  return operation === 'update' && number > 1 ? { type, id, version: String(number - 1) } : undefined
}
