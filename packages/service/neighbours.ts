/**
 * What the services of one process offer each other, as implementations of ports. The members are declared beside the
 * ports (`ports/neighbours.ts`), which this package does not know. One is missing where its service runs in another
 * process, and the port's HTTP implementation is used then.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Neighbours {}
