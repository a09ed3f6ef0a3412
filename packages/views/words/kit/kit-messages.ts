import type { MessagesLike } from '../messages.ts'
import type { en } from './en.ts'

export type KitMessages = MessagesLike<typeof en>
