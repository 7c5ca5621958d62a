/**
 * Elysia starts a garbage collection for every app that it compiles: once in the program, but once per test here, which is an eighth of
 * the processor time of the contract tests.
 */
const collectGarbage = Bun.gc
Bun.gc = (synchronous) => (synchronous ? collectGarbage(true) : 0)
