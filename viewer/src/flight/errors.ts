/** Errors of a simulation in a page. */

import { t } from "../words";

/** A request that a page cannot fulfil; the message has the reason. */
export class Refused extends Error {}

/** What cannot be drawn in a page. */
export const noRoom = (part: string): string => t("{part}: this page was made without room for one. Make it with --draw", { part });

/** A point with too many or too few numbers. */
export const axesFault = (part: string, n: number, dims: number): string => t("{part}: got {n} numbers; expected {dims}, one per axis of the space", { part, n, dims });

/** A boid is lost, or the numbers allow no further step. */
export class Lost extends Error {}
