import { makeReaders, type Reader as ReaderOf } from '../../../packages/views/words/reader.ts'
import { wordsOf, type Words } from './words.ts'

export type Reader = ReaderOf<Words>

export const { staff, readerOf } = makeReaders(wordsOf)
