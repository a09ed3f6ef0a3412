import { assert } from '../faults/fault.ts'
import { propertiesOf } from './input.ts'
import type { Route } from './route.ts'

/** Holds the routes against each other and themselves; a mistake here is a bug and stops the start. */
export function checkRouteTable<Deps>(routes: readonly Route<Deps>[]): void {
  const seen = new Set<string>()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    assert(route.path.startsWith('/'), `the path of ${name} does not start with a slash`)
    const address = `${route.method} ${shapeOf(route.path)}`
    assert(!seen.has(address), `${name} is declared twice`)
    seen.add(address)
    const inPath = parameterNames(route.path)
    const declared = Object.keys(propertiesOf(route.input?.params ?? {}))
    assert(
      inPath.toSorted().join() === declared.toSorted().join(),
      `${name} declares the parameters [${declared.join()}] but its path has [${inPath.join()}]`,
    )
    assert(Object.keys(route.output).length > 0, `${name} declares no answer`)
    assert(route.method !== 'GET' || route.input?.body === undefined, `${name} is a GET with a body`)
  }
}

export function parameterNames(path: string): string[] {
  return path.split('/').flatMap((step) => (step.startsWith(':') ? [step.slice(1)] : step === '*' ? ['*'] : []))
}

/**
 * The routes of the address, whatever their method: for 405 and for preflight requests. `Patient/$unknown` is not the
 * address of a Patient: what begins so is an operation, which a path writes out.
 */
export function routesAt<Deps>(routes: readonly Route<Deps>[], path: string): Route<Deps>[] {
  const steps = path.split('/')
  const isWrittenOut = (step: string, index: number) => !(step.startsWith(':') && steps[index]?.startsWith('$'))
  const matching = openRoutesAt(routes, path).filter((route) => route.path.split('/').every(isWrittenOut))
  const [closest] = matching.map((route) => route.path).sort((one, other) => (openness(one) < openness(other) ? -1 : 1))
  return closest === undefined ? [] : matching.filter((route) => shapeOf(route.path) === shapeOf(closest))
}

/**
 * Addresses that are written out for some methods, and that a route with more parameters would take for others:
 * `evaluate` in `GET /api/consent/evaluate` is not an id, nor is `_search` in `GET /fhir/Patient/_search`.
 */
export function takenAddresses<Deps>(routes: readonly Route<Deps>[]): Pick<Route, 'method' | 'path'>[] {
  const byShape = Map.groupBy(
    routes.filter(({ path }) => !path.endsWith('*')),
    ({ path }) => shapeOf(path),
  )
  return [...byShape.values()].flatMap((own) => {
    const path = own[0]?.path ?? ''
    const others = new Set(openRoutesAt(routes, path).map(({ method }) => method))
    for (const { method } of own) others.delete(method)
    return [...others].map((method) => ({ method, path }))
  })
}

function openRoutesAt<Deps>(routes: readonly Route<Deps>[], path: string): Route<Deps>[] {
  const steps = path.split('/')
  return routes.filter((route) => matches(route.path.split('/'), steps))
}

/** What an address says in the places of a path’s parameters; undefined: it is not an address of this path. */
export function paramsAt(address: string, path: string): Record<string, string> | undefined {
  const [pattern, steps] = [path.split('/'), address.split('/')]
  if (!matches(pattern, steps)) return undefined
  return Object.fromEntries(
    pattern.flatMap((step, at) => (step.startsWith(':') ? [[step.slice(1), steps[at] ?? '']] : [])),
  )
}

/** The path, whatever its parameters are called. */
const shapeOf = (path: string) => path.replaceAll(/:[^/]+/g, ':')

/** The more of a path is written out, and the earlier, the closer it is: texts of these digits say so by their order. */
const openness = (path: string) =>
  path
    .split('/')
    .map((step) => (step === '*' ? 2 : step.startsWith(':') ? 1 : 0))
    .join('')

/** Methods as the Allow header lists them; a GET answers HEAD as well, unless it says otherwise. */
export function allowedMethods(routes: readonly Pick<Route, 'method' | 'takesHead'>[]): string[] {
  const methods = routes.flatMap(({ method, takesHead = true }) =>
    method === 'GET' && takesHead ? ['GET', 'HEAD'] : [method],
  )
  return [...new Set([...methods, 'OPTIONS'])]
}

function matches(pattern: readonly string[], steps: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*'
  if (isOpen ? steps.length < pattern.length : steps.length !== pattern.length) return false
  return pattern.every(
    (step, index) => step === '*' || (step.startsWith(':') && steps[index] !== '') || step === steps[index],
  )
}
