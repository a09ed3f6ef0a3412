import { compile, type Model } from 'fhirpath'
import r4 from 'fhirpath/fhir-context/r4/index.js'
import { describe, expect, it } from 'vitest'
import { choiceName } from '../../choice-name.ts'
import { type Definitions, loadDefinitions } from '../../definitions.ts'
import { officialExamples } from '../../testing/official-examples.ts'
import { type Node, Report } from '../report.ts'
import type { Rule } from './rule.ts'
import { rulesOf } from './rules.ts'

/** Its official expression says no-show, which is no code of the status; noshow is meant. */
const different = new Set(['Appointment app-4'])

// Each rule is asked about every node of its type in the official examples, and about that node without each of its
// members in turn; an independent engine is asked the same with the official expression.
describe('the invariants written by hand', () => {
  it('agree with the official expressions', { timeout: 60_000 }, async () => {
    const definitions = await loadDefinitions()
    const expressions = officialExpressions()
    const asked = new Map<string, { yes: number; no: number }>()
    const differences: string[] = []
    for (const { name, text } of officialExamples(
      /^(?!SearchParameter|ValueSet|CodeSystem|StructureDefinition|ConceptMap|OperationDefinition)/,
    )) {
      if (text.length > 30_000) continue
      const root = JSON.parse(text) as Node
      visit(root, String(root['resourceType']), definitions, (node, type) => {
        for (const rule of rulesOf(type, definitions)) {
          const key = `${type} ${rule.id}`
          const official = expressions.get(key) ?? expressions.get(`* ${rule.id}`)
          const counts = asked.get(key) ?? { yes: 0, no: 0 }
          asked.set(key, counts)
          if (official === undefined || different.has(key) || counts.yes + counts.no > 150) continue
          for (const variant of variantsOf(node, requiredIn(type, definitions))) {
            const ours = ask(rule, variant, node === root ? variant : root)
            const [theirs] = official(variant, {
              rootResource: node === root ? variant : root,
              resource: node === root ? variant : root,
              ucum: 'http://unitsofmeasure.org',
            })
            if (theirs === undefined) continue
            counts[ours ? 'yes' : 'no']++
            if (ours !== theirs) differences.push(`${name} ${key}: ours ${ours}, theirs ${JSON.stringify(theirs)}`)
          }
        }
      })
    }
    expect(differences).toEqual([])
    const refusing = [...asked].filter(([, counts]) => counts.no > 0).map(([key]) => key)
    expect(refusing.length).toBeGreaterThan(25)
  })
})

type Engine = (node: object, environment: object) => unknown[]

function officialExpressions(): Map<string, Engine> {
  const expressions = new Map<string, Engine>()
  for (const { text } of officialExamples(/^StructureDefinition-[A-Z][A-Za-z]*\.json$/)) {
    const { derivation, snapshot } = JSON.parse(text) as Definition
    if (derivation === 'constraint') continue
    for (const { path, constraint = [] } of snapshot.element) {
      for (const { key, expression, source } of constraint) {
        if (expression === undefined || key.startsWith('txt') || key.startsWith('eld')) continue
        const evaluate = (): Engine =>
          compile(
            { base: path, expression: expression.replaceAll(/\.trace\([^)]*\)/g, '').replaceAll('as(', 'ofType(') },
            r4 as Model,
          ) as Engine
        const own = `${path} ${key}`
        if (!expressions.has(own)) expressions.set(own, lazily(evaluate))
        if (source?.endsWith('/DomainResource') === true) expressions.set(`* ${key}`, lazily(evaluate))
      }
    }
  }
  return expressions
}

interface Definition {
  derivation?: string
  snapshot: { element: { path: string; constraint?: { key: string; expression?: string; source?: string }[] }[] }
}

function lazily(make: () => Engine): Engine {
  let engine: Engine | undefined
  return (node, environment) => {
    engine ??= make()
    return engine(node, environment)
  }
}

function ask(rule: Rule, node: Node, root: Node): boolean {
  const report = new Report()
  report.start(root, 'Test')
  return rule.holds(node, report)
}

const requiredIn = (type: string, definitions: Definitions) =>
  new Set(definitions.elementsOf(type).flatMap(({ name, min }) => ((min ?? 0) > 0 ? [name] : [])))

/** Rules are only asked about what has its structure, so required members stay. */
function* variantsOf(node: Node, required: ReadonlySet<string>): Generator<Node> {
  yield node
  for (const name of Object.keys(node)) {
    if (name === 'resourceType' || required.has(name)) continue
    const { [name]: _left, ...rest } = node
    yield rest
  }
}

function visit(node: Node, type: string, definitions: Definitions, see: (node: Node, type: string) => void): void {
  see(node, type)
  for (const element of definitions.elementsOf(type)) {
    for (const elementType of element.types) {
      const value = node[element.choice === true ? choiceName(element.name, elementType) : element.name]
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof item !== 'object' || item === null || elementType === 'Resource') continue
        visit(item as Node, elementType, definitions, see)
      }
    }
  }
}
