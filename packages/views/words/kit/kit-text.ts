import type { Parameters } from '../filled-in.ts'
import type { TextKey } from '../messages.ts'
import type { en } from './en.ts'

export type KitKey = TextKey<typeof en>
export type KitText = (key: KitKey, parameters?: Parameters) => string
