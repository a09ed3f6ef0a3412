import type { CompiledParameter } from '../compiled.ts'
import type { PackageFolder } from './package-folder.ts'

/** Compartment → type → codes of the reference parameters that put a resource of the type into it. */
export function compileCompartments(
  parameters: Readonly<Record<string, readonly CompiledParameter[]>>,
  folder: PackageFolder,
): Record<string, Record<string, string[]>> {
  const compartments: Record<string, Record<string, string[]>> = {}
  for (const name of ['patient', 'encounter', 'practitioner', 'relatedPerson', 'device']) {
    const definition = folder.read('CompartmentDefinition', name)
    const members: Record<string, string[]> = {}
    for (const { code: type, param } of definition.resource ?? []) {
      if (param === undefined || param.length === 0) continue
      for (const code of param) checkKnown(type, code, definition.code, parameters)
      members[type] = [...param]
    }
    compartments[definition.code] = members
  }
  return compartments
}

function checkKnown(
  type: string,
  code: string,
  compartment: string,
  parameters: Readonly<Record<string, readonly CompiledParameter[]>>,
): void {
  if (code === '{def}' || parameters[type]?.some((parameter) => parameter.code === code)) return
  throw new Error(`The ${compartment} compartment names ${type}.${code}, which is not a search parameter.`)
}
