import { Database } from 'bun:sqlite'

/**
 * Reeve, with one word of it changed: commits do not wait for the disk. It is the control of the power cut: were nothing
 * lost here, the test would show nothing.
 */
const run = Database.prototype.run
Database.prototype.run = function (sql: string, ...rest: never[]) {
  return run.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'), ...rest)
}
await import('../../../apps/api/src/main.ts')
