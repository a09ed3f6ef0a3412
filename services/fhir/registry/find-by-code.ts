import type { Location, Organization } from '../../../packages/fhir/r4.ts'
import { escapeSearchValue } from '../../../packages/fhir-http/search-value.ts'
import { facilityCodeSystem } from '../../../ports/facility-registry/organization.ts'
import type { InteractionDeps } from '../interactions/deps.ts'
import { fullAccess } from '../scopes/access.ts'
import { criteriaOf } from '../store/criteria.ts'
import { readCurrent } from '../store/read.ts'
import { identifiedBy } from '../store/resolve.ts'

/** Organizations or Locations by their facility code; those of many codes with two queries. */
export async function findByCode<Kind extends Organization | Location>(
  type: Kind['resourceType'],
  codes: readonly string[],
  { database, engine }: Pick<InteractionDeps, 'database' | 'engine'>,
): Promise<Map<string, (Kind & { readonly id: string })[]>> {
  const questions = codes.map((code) => ({
    criteria: criteriaOf(type, queryOf(code)),
    access: fullAccess,
  }))
  const matches = await identifiedBy(questions, ownersMax, engine, database)
  const stored = await readCurrent(
    matches.flat().map(({ key }) => key),
    database,
  )
  return new Map(
    codes.map((code, at) => [
      code,
      (matches[at] ?? []).flatMap(({ key }) => {
        const content = stored.get(key)?.content
        // Sound: the store holds only what was valid when it was written, and gives it its id.
        return content === undefined ? [] : [JSON.parse(content) as Kind & { readonly id: string }]
      }),
    ]),
  )
}

/** Those that have closed keep their code, and of the others two are too many. */
const ownersMax = 100

const queryOf = (code: string) =>
  new URLSearchParams({ identifier: `${facilityCodeSystem}|${escapeSearchValue(code)}` }).toString()
