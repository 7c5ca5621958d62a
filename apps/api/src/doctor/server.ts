import { MINUTE_MS } from '@reeve/core'
import { inspectServer, type ServerInspection } from '@reeve/db'
import type { Progress } from '../commands/command.ts'
import type { BucketSettings } from '../images/bucket.ts'
import { checkAudit, checkClock, checkSchema, movedFinding } from './database.ts'
import { type Finding, fault, ok } from './finding.ts'
import { checkImages } from './images.ts'

/** How far the clock of this machine may be from that of the server, in milliseconds. */
const MAX_CLOCK_SKEW_MS = MINUTE_MS

/** Reads the database of a server: what its own tools cannot know of it. */
export async function checkServer(
  url: string,
  now: () => number,
  progress: Progress,
  images: BucketSettings | null,
): Promise<Finding[]> {
  let inspection: ServerInspection | undefined
  try {
    inspection = await inspectServer(url)
    const { engine, schema, movedReason, read } = inspection
    const connected = ok('database', `${engine} answers.`)
    if (movedReason !== null) return [connected, movedFinding(movedReason)]
    if (schema === null)
      return [connected, fault('schema', 'There is no instance in the database.', '`reeve init` makes one.')]
    return [
      connected,
      checkSchema(schema),
      await checkAudit(read, progress),
      await checkImages(read, images),
      await checkServerClock(inspection, now()),
    ]
  } catch (error) {
    return [
      fault('database', (error as Error).message, 'Look to the server, and to the address of the database.'),
    ]
  } finally {
    await inspection?.close()
  }
}

/** Bans end and sessions expire by the clock of the process that looks: all of them have to agree. */
async function checkServerClock(inspection: ServerInspection, now: number): Promise<Finding> {
  const { server, newestChange } = await inspection.times()
  if (Math.abs(server - now) <= MAX_CLOCK_SKEW_MS) return checkClock(newestChange ?? 0, now)
  return fault(
    'clock',
    `The clock of this machine is ${Math.round(Math.abs(server - now) / 1000)} s ${now < server ? 'behind' : 'ahead of'} that of the server.`,
    'Set the clocks, and let the machines keep them (timedatectl set-ntp true): bans end and sessions expire by them.',
  )
}
