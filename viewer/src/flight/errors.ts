/** A request that a page cannot fulfil; the message has the reason. */
export class Refused extends Error {}

/** A boid is lost, or the numbers allow no further step. */
export class Lost extends Error {}
