/** The remainder and the floor of a quotient, as Python has them, in WebAssembly. */

import { get, NO_RESULT, OP, real, set, whole } from "./code";

/** The floor of a quotient of reals, or its remainder, as CPython computes them. Locals: 2 remainder, 3 quotient, 4 floor. */
export function realQuotient(sign: "//" | "%", fmod: number[]): number[] {
  const negative = (local: number): number[] => [...get(local), ...real(0), OP.f32lt];
  const begin = [
    ...get(0), ...get(1), ...fmod, ...set(2), ...get(0), ...get(2), OP.f32sub, ...get(1), OP.f32div, ...set(3),
    ...get(2), ...real(0), OP.f32ne, OP.if, NO_RESULT,
    ...negative(1), ...negative(2), OP.i32ne, OP.if, NO_RESULT, ...get(3), ...real(1), OP.f32sub, ...set(3), ...get(2), ...get(1), OP.f32add, ...set(2), OP.end,
    OP.else, ...real(0), OP.f32neg, ...real(0), ...negative(1), OP.select, ...set(2), OP.end,
  ];
  if (sign === "%") return [...begin, ...get(2)];
  return [
    ...get(1), ...real(0), OP.f32eq, OP.if, NO_RESULT, ...get(0), ...get(1), OP.f32div, OP.return, OP.end,
    ...begin, ...get(3), ...real(0), OP.f32ne, OP.if, NO_RESULT,
    ...get(3), OP.f32floor, ...set(4), ...get(3), ...get(4), OP.f32sub, ...real(0.5), OP.f32gt, OP.if, NO_RESULT, ...get(4), ...real(1), OP.f32add, ...set(4), OP.end,
    OP.else, ...get(3), ...get(3), OP.f32mul, ...get(0), OP.f32mul, ...get(1), OP.f32div, ...set(4), OP.end, ...get(4),
  ];
}

/** The same of whole numbers; 0 where the divisor is 0. */
export function wholeQuotient(sign: "//" | "%"): number[] {
  const [a, b, quotient, remainder] = [0, 1, 2, 3];
  const minusOne = [OP.i64, 0x7f];
  const zero = whole(0);
  // a quotient by -1 may overflow: it is the negative number, without remainder
  return [
    ...get(b), OP.i64eqz, OP.if, NO_RESULT, ...zero, OP.return, OP.end,
    ...get(b), ...minusOne, OP.i64eq, OP.if, NO_RESULT, ...(sign === "//" ? [...zero, ...get(a), OP.i64sub] : zero), OP.return, OP.end,
    ...get(a), ...get(b), OP.i64div, ...set(quotient), ...get(a), ...get(b), OP.i64rem, ...set(remainder),
    ...get(remainder), ...zero, OP.i64ne, ...get(b), ...get(remainder), OP.i64xor, ...zero, OP.i64lt, OP.i32and, OP.if, NO_RESULT,
    ...get(quotient), ...whole(1), OP.i64sub, ...set(quotient), ...get(remainder), ...get(b), OP.i64add, ...set(remainder), OP.end,
    ...get(sign === "//" ? quotient : remainder),
  ];
}
