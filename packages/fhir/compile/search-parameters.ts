import type { SearchParameter } from '../r4.ts'
import type { CompiledComponent, CompiledParameter } from '../compiled.ts'
import { compilePath } from './path-compiler.ts'
import type { PackageFolder } from './package-folder.ts'
import type { Types } from './type-tree.ts'

/** Of our own: the laboratory views ask for abnormal results, and R4 has no parameter for it. */
const ownParameters: readonly SearchParameterLike[] = [
  {
    id: 'Observation-interpretation',
    url: 'urn:corridor:SearchParameter:Observation-interpretation',
    code: 'interpretation',
    type: 'token',
    base: ['Observation'],
    // Of a blood pressure, the parts have it.
    expression: 'Observation.interpretation | Observation.component.interpretation',
  },
]

/** Its expression is a truth, not a path: "dead unless deceased is absent or false". */
const deceasedUrl = 'http://hl7.org/fhir/SearchParameter/Patient-deceased'

type SearchParameterLike = Pick<SearchParameter, 'url' | 'code' | 'type' | 'base'> &
  Partial<Pick<SearchParameter, 'id' | 'expression' | 'target' | 'component'>>

/** All R4 parameters by the type that they are defined on, in the order of their codes. */
export function compileParameters(types: Types, folder: PackageFolder): Record<string, CompiledParameter[]> {
  const official = folder
    .ids('SearchParameter', /^(?!example)/)
    .map((id): SearchParameterLike => folder.read('SearchParameter', id))
    .filter(isUsable)
  const all = [...official, ...ownParameters]
  const byUrl = new Map(all.map((parameter) => [parameter.url, parameter]))
  const byType: Record<string, CompiledParameter[]> = {}
  for (const parameter of all) {
    for (const type of parameter.base) {
      byType[type] ??= []
      byType[type].push(compileParameter(parameter, type, byUrl, types))
    }
  }
  for (const list of Object.values(byType)) list.sort((one, other) => (one.code < other.code ? -1 : 1))
  return byType
}

/** Ten of profiles say neither type nor expression; those of all resources without one are the server's matter. */
const isUsable = ({ base, expression }: Partial<SearchParameterLike>) =>
  base !== undefined && (expression !== undefined || base.every((type) => type.endsWith('Resource')))

function compileParameter(
  parameter: SearchParameterLike,
  type: string,
  byUrl: ReadonlyMap<string, SearchParameterLike>,
  types: Types,
): CompiledParameter {
  const common = { code: parameter.code, type: parameter.type, url: parameter.url }
  if (parameter.url === deceasedUrl) return { ...common, special: 'deceased' }
  if (parameter.expression === undefined) return common
  const branches = compilePath(parameter.expression, type, type, types)
  if (branches.length === 0) throw new Error(`${parameter.url} selects nothing in ${type}.`)
  return {
    ...common,
    branches,
    ...(parameter.target === undefined ? {} : { targets: parameter.target }),
    ...(parameter.component === undefined ? {} : { components: compileComponents(parameter, type, byUrl, types) }),
  }
}

/** R4 has the two definitions of this composite the wrong way round. */
const corrections: Readonly<Record<string, string>> = {
  'http://hl7.org/fhir/SearchParameter/DocumentReference-relationship#code':
    'http://hl7.org/fhir/SearchParameter/DocumentReference-relation',
  'http://hl7.org/fhir/SearchParameter/DocumentReference-relationship#target':
    'http://hl7.org/fhir/SearchParameter/DocumentReference-relatesto',
}

/** Components start at the nodes of the composite, which all have the same elements. */
function compileComponents(
  composite: SearchParameterLike,
  type: string,
  byUrl: ReadonlyMap<string, SearchParameterLike>,
  types: Types,
): CompiledComponent[] {
  const contextType = compilePath(composite.expression ?? '', type, type, types)[0]?.type ?? type
  return (composite.component ?? []).map(({ definition: declared, expression }) => {
    const definition = corrections[`${composite.url}#${expression}`] ?? declared
    const part = byUrl.get(definition)
    if (part === undefined) throw new Error(`${composite.url} has the unknown component ${definition}.`)
    return { code: part.code, type: part.type, branches: compilePath(expression, contextType, type, types) }
  })
}
