import { expect, it } from 'vitest'
import { startChild } from '../../packages/testkit/child.ts'

it('texts of eight million signs are read also when V8 optimises no pattern any more', async () => {
  await using child = await startChild({ script: new URL('long-texts/read-long-texts.ts', import.meta.url) })
  const { code } = await child.ended
  expect(child.errorLines).toEqual([])
  expect(child.lines).toEqual([
    'a document in base64: whole',
    'a document in hexadecimal digits: whole',
    'a document as it is: whole',
    'a text: whole',
    'a text of spaces and a letter: whole',
    'a text in escapes: whole',
    'a pointer: whole',
    'a code: read',
    'a code of spaces: read',
    'an OID as a system: read',
    'a system of codes: read',
    'names of spaces: read',
    'an authority: read',
    'base64Binary: taken',
    'base64Binary in lines: taken',
    'base64Binary and spaces: taken',
    'uri: taken',
    'code: refused',
    'code of words: refused',
    'oid: refused',
    'time: refused',
    'narrative: taken',
    'narrative of elements: taken',
    'narrative with a picture: taken',
    'narrative with a style: taken',
    'narrative with attributes: refused',
    'narrative with spaces: taken',
    'digits in JSON: object',
  ])
  expect(code).toBe(0)
})
