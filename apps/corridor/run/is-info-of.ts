import type { ServiceName } from '../service-names.ts'

/** Whether this is what the service says at `/actuator/info`. That somebody is UP proves nothing: half of the world's programs are. */
export const isInfoOf = (name: ServiceName, body: string): boolean => body.includes(`"artifact":"corridor-${name}"`)
