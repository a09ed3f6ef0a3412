import { compile, type Model } from 'fhirpath'
import r4 from 'fhirpath/fhir-context/r4/index.js'
import { describe, expect, it } from 'vitest'
import { loadDefinitions, type SearchParameter } from '../definitions.ts'
import { officialExamples } from '../test/official-examples.ts'
import { type Node, preparePath } from './path.ts'

// An independent FHIRPath engine reads the official expressions; we read what the build step made of them.
describe('the compiled paths', () => {
  it('select in the official examples the same nodes as a FHIRPath engine', { timeout: 60_000 }, async () => {
    const definitions = await loadDefinitions()
    const expressions = officialExpressions()
    const engines = new Map<string, (resource: object) => unknown[]>()
    const evaluate = (resource: object) => (part: string) => {
      const engine = engines.get(part) ?? engineFor(part)
      engines.set(part, engine)
      return engine(resource)
    }
    const differences: string[] = []
    let compared = 0
    let nodes = 0
    for (const { name, text } of officialExamples(sample)) {
      const resource = JSON.parse(text) as Node
      for (const parameter of definitions.parametersOf(String(resource['resourceType'])).values()) {
        const expression = expressions.get(parameter.url)
        if (expression === undefined || parameter.branches === undefined) continue
        const theirs = distinct(partsFor(expression, String(resource['resourceType'])).flatMap(evaluate(resource)))
        const ours = distinct(select(parameter, resource))
        compared++
        nodes += ours.length
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) differences.push(`${name} ${parameter.code}`)
      }
    }
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(15_000)
    expect(nodes).toBeGreaterThan(8_000)
  })
})

/** Every clinical example, and of the thousands of definitions in the package one in forty. */
const sample =
  /^(?!(?:SearchParameter|ValueSet|CodeSystem|StructureDefinition|ConceptMap|OperationDefinition)-.*(?!07|42)..\.json)/

function officialExpressions(): Map<string, string> {
  const expressions = new Map<string, string>()
  for (const { text } of officialExamples(/^SearchParameter-/)) {
    const { url, expression } = JSON.parse(text) as { url: string; expression?: string }
    if (expression !== undefined) expressions.set(url, expression)
  }
  return expressions
}

/** The parts of a union that can select something in the type; a part of another type selects nothing. */
const partsFor = (expression: string, type: string) =>
  expression
    .split(/\s*\|\s*/)
    .filter((part) => !/^\(?[A-Z]/.test(part) || new RegExp(`^\\(?(${type}|Resource|DomainResource)\\b`).test(part))

/**
 * Three things are said in other words: the engine cannot follow references, so the type that the reference names is
 * asked for; it allows `as` only on single nodes, where R4 means every one; and it does not know hasExtension.
 */
function engineFor(expression: string): (resource: object) => unknown[] {
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
  return (resource) => compiled(resource, { rootResource: resource }) as unknown[]
}

function select(parameter: SearchParameter, root: Node): unknown[] {
  const found: unknown[] = []
  for (const branch of parameter.branches ?? []) {
    preparePath<unknown[]>(branch, (node, _root, sink) => sink.push(node))(root, root, found)
  }
  return found
}

/** Unions in FHIRPath drop repeats. */
const distinct = (nodes: unknown[]) => [...new Set(nodes.map((node) => JSON.stringify(node)))].sort()
