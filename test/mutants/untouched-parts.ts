import { Visitor, type ESTree } from 'vite'

type Part = Pick<ESTree.Span, 'start' | 'end'>

/** What no mutant may change: types are gone when the code runs, and names of modules and fields are no decisions. */
export function untouchedParts(program: ESTree.Program): readonly Part[] {
  const parts: Part[] = []
  const keep = (part: Part) => void parts.push(part)
  new Visitor({
    ImportDeclaration: keep,
    TSTypeAliasDeclaration: keep,
    TSInterfaceDeclaration: keep,
    TSTypeAnnotation: keep,
    TSTypeParameterInstantiation: keep,
    TSLiteralType: keep,
    TSTypeLiteral: keep,
    ExportNamedDeclaration: ({ source }) => {
      if (source !== null) keep(source)
    },
    Property: ({ key, computed }) => {
      if (!computed && key.type === 'Literal') keep(key)
    },
  }).visit(program)
  return parts
}
