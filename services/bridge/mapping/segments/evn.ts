import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { dateTime } from '../dt/ts.ts'

/** When the sender said it: EVN-2, else MSH-7. */
export function saidAt(draft: Draft): string | undefined {
  const evn = draft.message.segment('EVN')
  const msh = draft.message.segment('MSH')
  return (evn && dateTime(evn.part(2), at(draft, evn, 2))) ?? (msh && dateTime(msh.part(7), at(draft, msh, 7)))
}
