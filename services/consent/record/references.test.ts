import { expect, it } from 'vitest'
import { appReference, isActorReference } from './references.ts'

it.each(['lakeside-clinic', 'my_app:1@x', 'Device/lakeside-clinic', 'Organization/central'])(
  'an app given as %s is asked about as what a record can name',
  (text) => {
    expect(isActorReference(appReference(text))).toBe(true)
  },
)

it.each(['', 'reader', 'Organisation/a', 'organization/a', 'Practitioner/a', 'Device/', 'Device/a b', 'Device/a/b'])(
  'no record can name "%s"',
  (text) => {
    expect(isActorReference(text)).toBe(false)
  },
)
