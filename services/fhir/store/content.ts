/** The text of a resource as it is kept and sent: what the server gives comes first, the rest as it came. */
export function contentOf(resource: object, given: { id: string; version: number; lastUpdated: Date }): string {
  const { resourceType, meta, ...rest } = resource as { resourceType: string; meta?: object }
  return JSON.stringify({
    resourceType,
    id: given.id,
    meta: { ...meta, versionId: String(given.version), lastUpdated: given.lastUpdated.toISOString() },
    ...rest,
  })
}

/** Without what the server gives. */
export function withoutGiven(resource: object): object {
  const { id: _id, meta, ...rest } = resource as { id?: unknown; meta?: unknown }
  if (typeof meta !== 'object' || meta === null) return rest
  const { versionId: _versionId, lastUpdated: _lastUpdated, ...kept } = meta as Record<string, unknown>
  return Object.keys(kept).length === 0 ? rest : { ...rest, meta: kept }
}
