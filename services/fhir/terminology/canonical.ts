/** An address of a definition, and the version of it that is meant where one is: `http://…/ValueSet/x|1.0`. */
interface Canonical {
  readonly url: string
  readonly version: string | undefined
}

export function canonicalOf(text: string): Canonical {
  const [url = '', ...rest] = text.split('|')
  return { url, version: rest.join('|') || undefined }
}

/** Who names no version takes the one that is there. */
export const isVersion = (asked: string | undefined, own: string | undefined): boolean =>
  asked === undefined || asked === own
