import { faultOf } from '../../../../packages/faults/fault.ts'
import { parseJson } from '../../../../packages/fhir/parse-json.ts'
import type { ConceptMap, ValueSet } from '../../../../packages/fhir/r4.ts'
import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { parameterKey } from '../../store/keys.ts'
import { canonicalOf, isVersion } from '../canonical.ts'
import { readConceptMap, readValueSet } from '../read-resource.ts'

/** What the reading of a resource of the record found wrong when it was written: it was kept, and nothing is made of it. */
export async function whyNotRecorded(
  type: 'ValueSet' | 'ConceptMap',
  canonical: string,
  database: Queryable,
): Promise<string | undefined> {
  const { url, version } = canonicalOf(canonical)
  const rows = await database.many<{ content: string }>(sql`
    select v.content from fhir.uris as u
    join fhir.resources as r on r.key = u.key and not r.deleted
    join fhir.versions as v on v.key = r.key and v.version = r.version
    where u.param = ${parameterKey(type, 'url')} and u.uri = ${url}
    order by r.last_updated desc limit 10`)
  // Sound: under a type nothing but its resources is stored.
  const stored = rows.map(({ content }) => parseJson(content) as ValueSet | ConceptMap)
  const meant = stored.find((resource) => isVersion(version, resource.version))
  return meant === undefined ? undefined : whyUnread(meant)
}

function whyUnread(resource: ValueSet | ConceptMap): string | undefined {
  try {
    if (resource.resourceType === 'ValueSet') readValueSet(resource)
    else readConceptMap(resource)
    return undefined
  } catch (thrown) {
    return faultOf(thrown).shown
  }
}
