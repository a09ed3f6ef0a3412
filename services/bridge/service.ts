import { defineService } from '../../packages/service/service.ts'

export const bridgeService = defineService({
  name: 'bridge',
  title: 'Integration bridge',
  purpose:
    'Takes HL7v2 messages over MLLP and turns them into consented, validated FHIR R4; nothing acknowledged is ever lost.',
  migrations: new URL('./migrations/', import.meta.url),
  build: async () => ({ routes: [], deps: undefined }),
})
