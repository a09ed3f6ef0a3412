import { Fault, faultOf } from '../../../../packages/faults/fault.ts'
import { InvalidResource } from '../invalid-resource.ts'

/** The same fault, whose places are said from the bundle's point of view. */
export function atEntry(thrown: unknown, index: number): Fault {
  const fault = faultOf(thrown)
  const entry = `Bundle.entry[${index}]`
  if (fault instanceof InvalidResource) {
    return new InvalidResource(fault.issues.map((issue) => ({ ...issue, path: `${entry}.${inEntry(issue.path)}` })))
  }
  const { kind, code, fields, retryAfterSeconds, logged } = fault
  const placed = fields.map(({ path, message }) => ({ path: `${entry}.${inEntry(path)}`, message }))
  return new Fault(kind, kind === 'bug' ? fault.message : fault.shown, {
    ...(code === undefined ? {} : { code }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(logged === undefined ? {} : { logged }),
    fields: placed.length > 0 ? placed : [{ path: entry, message: fault.shown }],
    cause: fault,
  })
}

/** `Patient.gender` of the request is `resource.gender` of the entry; the criteria are in its url. */
function inEntry(path: string): string {
  if (path.startsWith('http.')) return 'request.url'
  if (path === 'resourceType' || path.startsWith('[')) return 'resource'
  return path.replace(/^[A-Z][A-Za-z]*/, 'resource')
}
