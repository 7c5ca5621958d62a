import fs from 'node:fs'

/**
 * Reeve with one change: commits do not wait for the disk. It is the control of the power cut test, which must detect the losses
 * here.
 */
Object.assign(fs, {
  fdatasync: (_descriptor: number, done: (error: null) => void) => setImmediate(done, null),
})
await import('../../../apps/api/src/main.ts')
