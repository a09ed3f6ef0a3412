import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { kept, sql } from '../../../packages/sql/sql.ts'
import type { SoughtVersion } from '../../../ports/resource-matching/resource-matching.ts'
import { resourceKey } from '../store/keys.ts'

/** For the platform's own use: no condition is applied. */
export async function readVersions(
  versions: readonly SoughtVersion[],
  on: Queryable,
): Promise<readonly (Resource | undefined)[]> {
  if (versions.length === 0) return []
  const rows = await on.many<{ place: number; content: string }>(
    kept(
      'fhir_read_versions',
      sql`
    select asked.place::int as place, v.content
      from unnest(${versions.map(({ type, id }) => resourceKey(type, id))}::bigint[],
                  ${versions.map(({ version }) => numberOf(version))}::integer[],
                  ${versions.map(({ type }) => type)}::text[], ${versions.map(({ id }) => id)}::text[])
           with ordinality as asked (key, version, type, id, place)
      join fhir.resources as r on r.key = asked.key and r.type = asked.type and r.id = asked.id
      join fhir.versions as v on v.key = r.key and v.version = coalesce(asked.version, r.version)
     where v.content is not null`,
    ),
  )
  const found = new Map(rows.map(({ place, content }) => [place, content]))
  return versions.map((_, index) => {
    const content = found.get(index + 1)
    // Sound: what the store keeps is a resource.
    return content === undefined ? undefined : (parseJson(content) as Resource)
  })
}

/** Whatever is no version of ours finds nothing. */
function numberOf(version: string | undefined): number | null {
  if (version === undefined) return null
  return /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0
}
