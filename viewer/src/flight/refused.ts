/** What a page is asked for and cannot do; the message says why. */
export class Refused extends Error {}
