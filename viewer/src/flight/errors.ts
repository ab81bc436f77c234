/** What a page is asked for and cannot do; the message says why. */
export class Refused extends Error {}

/** A boid is lost, or the numbers allow no further step. */
export class Lost extends Error {}
