import type { Draft } from '../../draft.ts'
import { readQuery } from './read-query.ts'

/** QBP: a question writes nothing. What it asks is read by `readQuery` and answered by `queryReply`. */
export function mapQbp(draft: Draft): void {
  const read = readQuery(draft.message, draft.context)
  if ('query' in read) return
  const [issue, ...others] = read.refused
  if (issue !== undefined) draft.refuse(issue, others)
}
