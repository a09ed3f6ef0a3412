import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { testSeed } from '../test-seed.ts'

// Properties begin where every other suite with chance does.
configureGlobal({ ...readConfigureGlobal(), seed: testSeed() })
