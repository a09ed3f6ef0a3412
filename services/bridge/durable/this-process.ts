export { thisProcess, type ProcessIdentity } from '../../../packages/sql/this-process.ts'
