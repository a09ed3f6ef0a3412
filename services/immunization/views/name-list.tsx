import { useWords } from '../words/words.ts'

/** Names as a language joins them, each in its own direction. */
export function NameList({ names }: { readonly names: readonly string[] }) {
  const { list } = useWords()
  return (
    <>
      {list
        .formatToParts(names)
        .map(({ type, value }, at) => (type === 'element' ? <bdi key={at}>{value}</bdi> : value))}
    </>
  )
}
