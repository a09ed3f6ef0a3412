import { coding, rowOf } from '../code-map.ts'
import { row, type Row } from '../segment-map.ts'
import { yesNo } from '../v/0136-yes-no.ts'

/** A field that says whether something is protected: Y labels it, and N takes the label away again. */
export const protectionRow = (field: number, name: string): Row => ({
  ...row(
    field,
    name,
    'meta.security[]',
    (part) => (rowOf(yesNo, part.text(1) ?? '') === true ? restricted : undefined),
    { element: 'meta.security', where: { system: restricted.system, code: restricted.code } },
  ),
  isCleared: (part) => rowOf(yesNo, part.text(1) ?? '') === false,
})

const restricted = coding('http://terminology.hl7.org/CodeSystem/v3-Confidentiality', 'R', 'restricted')
