// Tries whether the tests notice mistakes in what decides about access: npm run test:mutants [-- words of subjects].
import { runMutants } from '../test/mutants/run-mutants.ts'
import { root } from './run.js'

process.exitCode = (await runMutants(root, process.argv.slice(2))) ? 0 : 1
