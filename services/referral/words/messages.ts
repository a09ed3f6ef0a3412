import type { MessagesLike } from '../../../packages/views/words/messages.ts'
import type { en } from './en.ts'

export type Messages = MessagesLike<typeof en>
