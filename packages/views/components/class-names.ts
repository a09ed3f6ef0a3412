/** Joins the classes that apply: `classNames('button', isQuiet && 'quiet')`. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== '').join(' ')
}
