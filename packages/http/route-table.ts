import { assert } from '../faults/fault.ts'
import { propertiesOf } from './input.ts'
import type { Route } from './route.ts'

/** Holds the routes against each other and themselves; a mistake here is a bug and stops the start. */
export function checkRouteTable<Deps>(routes: readonly Route<Deps>[]): void {
  const seen = new Set<string>()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    assert(route.path.startsWith('/'), `the path of ${name} does not start with a slash`)
    const address = `${route.method} ${route.path.replaceAll(/:[^/]+/g, ':')}`
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

/** The routes whose path matches, whatever their method: for 405 and for preflight requests. */
export function routesAt<Deps>(routes: readonly Route<Deps>[], path: string): Route<Deps>[] {
  const named = routes.filter((route) => route.path === path)
  return named.length > 0 && isWritten(path) ? named : openRoutesAt(routes, path)
}

/**
 * Addresses that are written out for some methods, and that a route with parameters would take for others: `evaluate` in
 * `GET /api/consent/evaluate` is not an id.
 */
export function takenAddresses<Deps>(routes: readonly Route<Deps>[]): Pick<Route, 'method' | 'path'>[] {
  const written = Map.groupBy(
    routes.filter(({ path }) => isWritten(path)),
    ({ path }) => path,
  )
  return [...written].flatMap(([path, own]) => {
    const others = new Set(openRoutesAt(routes, path).map(({ method }) => method))
    for (const { method } of own) others.delete(method)
    return [...others].map((method) => ({ method, path }))
  })
}

function openRoutesAt<Deps>(routes: readonly Route<Deps>[], path: string): Route<Deps>[] {
  const steps = path.split('/')
  return routes.filter((route) => matches(route.path.split('/'), steps))
}

const isWritten = (path: string) => parameterNames(path).length === 0

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
