import { Database } from 'bun:sqlite'

/**
 * Reeve with one change: commits do not wait for the disk. It is the control of the power cut test, which must detect the losses
 * here.
 */
const originalRun = Database.prototype.run
Database.prototype.run = function (sql: string, ...parameters: never[]) {
  return originalRun.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'), ...parameters)
}
await import('../../../apps/api/src/main.ts')
