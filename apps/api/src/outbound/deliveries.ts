import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { type AttemptOptions, createThreadSender, type DeliveryOptions, type Sender } from '@reeve/webhooks'
import type { Config } from '../settings.ts'
import { BUILD, VERSION } from '../version.ts'
import { createResourceReader } from './resource-reader.ts'

interface Parts {
  readonly db: Database
  readonly ports: Ports
  readonly config: Pick<Config, 'outboundAllow' | 'outboundCa' | 'oidcProviders'>
  readonly publicUrl: URL
  readonly onFailure: DeliveryOptions['onFailure']
  readonly onAttempt?: NonNullable<DeliveryOptions['onAttempt']>
  /** Default: sends in a thread of its own. */
  readonly createSender?: (ports: Ports, options: AttemptOptions) => Sender
}

/** The first module of the thread that sends. In the binary, modules lie below the folder of the program. */
const SENDER_THREAD = new URL(
  BUILD === null ? '../sender-thread/main.ts' : './sender-thread/main.js',
  import.meta.url,
)

/** What sends the events of an instance. */
export const createDeliveryOptions = ({
  config,
  publicUrl,
  createSender = (ports, options) => createThreadSender(SENDER_THREAD, ports, options),
  ...parts
}: Parts): DeliveryOptions => ({
  ...parts,
  readResource: createResourceReader(parts.ports, { publicUrl, oidcProviders: config.oidcProviders }),
  sender: createSender(parts.ports, {
    outboundAllow: config.outboundAllow,
    outboundCa: config.outboundCa,
    publicUrl,
    userAgent: `Reeve/${VERSION}`,
  }),
})
