import { compile, type Model } from 'fhirpath'
import r4 from 'fhirpath/fhir-context/r4/index.js'
import { describe, expect, it } from 'vitest'
import { loadDefinitions, type SearchParameter } from '../definitions.ts'
import type { PathBranch } from '../compiled.ts'
import { type Example, officialExamples } from '../testing/official-examples.ts'
import { createExtract } from './extract.ts'
import type { IndexEntry } from './index-value.ts'
import { type Node, preparePath } from './path.ts'

type Evaluate = (expression: string) => unknown[]

// An independent FHIRPath engine reads the official expressions; we read what the build step made of them.
describe('the compiled paths', () => {
  it('select in the official examples the same nodes as a FHIRPath engine', { timeout: 60_000 }, async () => {
    const definitions = await loadDefinitions()
    const official = officialParameters()
    const extract = createExtract(definitions)
    const engines = new Map<string, Engine>()
    const differences: string[] = []
    let compared = 0
    let nodes = 0
    for (const { name, text } of sample()) {
      const resource = JSON.parse(text) as Node
      const type = String(resource['resourceType'])
      const evaluate: Evaluate = (expression) => {
        const engine = engines.get(expression) ?? engineFor(expression)
        engines.set(expression, engine)
        return engine(resource)
      }
      for (const parameter of definitions.parametersOf(type).values()) {
        const declared = official.get(parameter.url)
        if (declared === undefined) continue
        const theirs = theirNodes(declared, type, evaluate)
        const ours =
          parameter.special === undefined
            ? ourNodes(parameter, resource)
            : [specialValues(parameter, extract(resource))]
        theirs.forEach((expected, position) => {
          compared++
          nodes += expected.length
          const isSame = JSON.stringify(distinct(ours[position] ?? [])) === JSON.stringify(distinct(expected))
          if (!isSame) differences.push(`${name} ${parameter.code} ${position}`)
        })
      }
    }
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(20_000)
    expect(nodes).toBeGreaterThan(12_000)
  })
})

/** Every clinical example, and of the thousands of definitions in the package one in twenty-five. */
function* sample(): Generator<Example> {
  let definitionsSeen = 0
  for (const example of officialExamples()) {
    const isDefinition = /^(?:SearchParameter|ValueSet|CodeSystem|StructureDefinition|ConceptMap|Bundle)-/.test(
      example.name,
    )
    if (!isDefinition || definitionsSeen++ % 25 === 0 || /^Bundle-[0-9a-f]/.test(example.name)) yield example
  }
}

interface OfficialParameter {
  readonly url: string
  readonly expression: string
  readonly component?: readonly { readonly expression: string }[]
}

function officialParameters(): Map<string, OfficialParameter> {
  const parameters = [...officialExamples(/^SearchParameter-/)].map(({ text }) => JSON.parse(text) as OfficialParameter)
  return new Map(parameters.filter(({ expression }) => expression !== undefined).map((each) => [each.url, each]))
}

/** The nodes of the parameter, and for a composite those of each component. */
function theirNodes({ expression, component = [] }: OfficialParameter, type: string, evaluate: Evaluate): unknown[][] {
  const parts = expression.includes(' and ') ? [expression] : partsFor(expression, type)
  return [
    parts.flatMap(evaluate),
    ...component.map((each) =>
      parts.flatMap((part) =>
        each.expression.split(/\s*\|\s*/).flatMap((inner) => evaluate(`${part}.select(${inner})`)),
      ),
    ),
  ]
}

function ourNodes(parameter: SearchParameter, root: Node): unknown[][] {
  const starts = (parameter.branches ?? []).flatMap((branch) => select(branch, root, root))
  const components = (parameter.components ?? []).map(({ branches }) =>
    starts.flatMap((start) => branches.flatMap((branch) => select(branch, start, root))),
  )
  return [starts, ...components]
}

/** Patient.deceased has no nodes; its value is compared instead. */
const specialValues = (parameter: SearchParameter, entries: readonly IndexEntry[]) =>
  entries
    .filter((entry) => entry.parameter === parameter)
    .flatMap(({ values }) => values.map((value) => value.kind === 'token' && value.code === 'true'))

/** The parts of a union that can select something in the type; a part of another type selects nothing. */
const partsFor = (expression: string, type: string) =>
  expression
    .split(/\s*\|\s*/)
    .filter((part) => !/^\(?[A-Z]/.test(part) || new RegExp(`^\\(?(${type}|Resource|DomainResource)\\b`).test(part))

/**
 * Three things are said in other words: the engine cannot follow references, so the type that the reference names is
 * asked for; it allows `as` only on single nodes, where R4 means every one; and it does not know hasExtension.
 */
type Engine = (resource: object) => unknown[]

function engineFor(expression: string): Engine {
  const asked = expression
    .replaceAll(/ as ([A-Za-z]+)\)/g, '.ofType($1))')
    .replaceAll('.as(', '.ofType(')
    .replaceAll(/hasExtension\(('[^']+')\)/g, 'extension($1).exists()')
    .replaceAll(
      /where\(resolve\(\) is ([A-Za-z]+)\)/g,
      (_where, type: string) =>
        `where(reference.matches('(^|/)${type}/[^/]+(/_history/[^/]+)?$') or type = '${type}' or ` +
        `(reference.substring(1) in %rootResource.contained.ofType(${type}).id))`,
    )
  // The model's own declaration is not written for exactOptionalPropertyTypes.
  const compiled = compile(asked, r4 as Model)
  return (resource) => compiled(resource, { rootResource: resource, resource }) as unknown[]
}

function select(branch: PathBranch, start: unknown, root: Node): unknown[] {
  const found: unknown[] = []
  preparePath<unknown[]>(branch, (node, _root, sink) => sink.push(node))(start, root, found)
  return found
}

/** Unions in FHIRPath drop repeats. */
const distinct = (nodes: unknown[]) => [...new Set(nodes.map((node) => JSON.stringify(node)))].sort()
