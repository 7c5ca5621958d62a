import { MINUTE_MS } from '@reeve/core'
import { inspectServer, type ServerInspection } from '@reeve/db'
import type { Progress } from '../command-line/command.ts'
import type { BucketSettings } from '../s3/client.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { checkContent } from './content.ts'
import { checkClock, checkSchema, movedFinding } from './database.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { checkImages } from './images.ts'
import { checkSecretKey } from './secret-key.ts'

/** Maximum difference between the clocks of this machine and of the database server, in milliseconds. */
const MAX_CLOCK_SKEW_MS = MINUTE_MS

/** Checks a PostgreSQL database for what PostgreSQL's own tools cannot know. */
export async function checkServer(
  url: string,
  now: () => number,
  progress: Progress,
  images: BucketSettings | null,
  secretKey: SecretKeyConfig,
  publicUrl: URL | null,
): Promise<Finding[]> {
  let inspection: ServerInspection | undefined
  try {
    inspection = await inspectServer(url)
    const { schema, movedReason, read } = inspection
    const connected = checkWritable(inspection)
    if (movedReason !== null) return [connected, movedFinding(movedReason)]
    if (schema === null)
      return [
        connected,
        fault('schema', 'The database contains no instance.', 'Run `reeve init` to create one.'),
      ]
    return [
      connected,
      checkSchema(schema),
      await checkSecretKey(secretKey, read),
      ...(await checkContent(schema, read, secretKey, publicUrl, now(), progress)),
      ...(await checkImages(read, images, progress)),
      await checkServerClock(inspection, now()),
    ]
  } catch (error) {
    return [fault('database', (error as Error).message, 'Check the database server and the database URL.')]
  } finally {
    await inspection?.close()
  }
}

/** A warning, because a standby can be checked on purpose. */
const checkWritable = ({ engine, isReadOnly }: ServerInspection): Finding =>
  isReadOnly
    ? warning(
        'database',
        `Connected to ${engine}, which accepts only reads: every write of this instance gets 503.`,
        'If it is a standby, promote it, or set the database URL to the primary. Otherwise check its disk space and its setting default_transaction_read_only.',
      )
    : ok('database', `Connected to ${engine}.`)

/** Each process applies the expiry of bans and sessions by its own clock, so all clocks must agree. */
async function checkServerClock(inspection: ServerInspection, now: number): Promise<Finding> {
  const { server, newestChange } = await inspection.times()
  if (Math.abs(server - now) <= MAX_CLOCK_SKEW_MS) return checkClock(newestChange ?? 0, now)
  return fault(
    'clock',
    `The clock of this machine is ${Math.round(Math.abs(server - now) / 1000)} s ${now < server ? 'behind' : 'ahead of'} that of the database server.`,
    'Set the clocks and enable time synchronization (timedatectl set-ntp true): the expiry of bans and sessions depends on them.',
  )
}
