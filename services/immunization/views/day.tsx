import { useWords } from '../words/words.ts'

/** A day as it was recorded, partial dates included; it belongs to no zone and is never shifted. */
export function Day({ date }: { readonly date: string }) {
  const { day } = useWords()
  return (
    <time class="nowrap" dir="auto" dateTime={date}>
      {day(date)}
    </time>
  )
}
