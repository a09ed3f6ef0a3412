import { text } from './fields.ts'

/** A version as an entity tag: weak, for the same version may be written in other bytes. */
export const versionTag = (version: number): string => `W/"${version}"`

export const IfMatch = {
  'if-match': text({ max: 200, optional: true, description: 'The ETag of the version that the change was made from.' }),
}

/** The versions that a change may have been made from; undefined where any will do. What is no tag of ours names none. */
export function versionsIn(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return header.split(',').flatMap((tag) => {
    const version = /^(?:W\/)?"(\d{1,15})"$/.exec(tag.trim())?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}
