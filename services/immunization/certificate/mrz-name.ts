/**
 * The name rule of the specification: upper case, then whatever is not A-Z, 0-9 or `<` becomes `<`. The order of the
 * name stays as it is, so the surname comes first only when the name is already written that way.
 */
export function mrzName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9<]/gu, '<')
}
