import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { DeliveryOptions } from '@reeve/webhooks'
import type { Config } from '../settings.ts'
import { VERSION } from '../version.ts'
import { createResourceReader } from './resource-reader.ts'

interface Parts {
  readonly db: Database
  readonly ports: Ports
  readonly config: Pick<Config, 'outboundAllow' | 'outboundCa' | 'oidcProviders'>
  readonly publicUrl: URL
  readonly onFailure: DeliveryOptions['onFailure']
  readonly onAttempt?: NonNullable<DeliveryOptions['onAttempt']>
}

/** What sends the events of an instance. */
export const createDeliveryOptions = ({ config, publicUrl, ...parts }: Parts): DeliveryOptions => ({
  ...parts,
  readResource: createResourceReader(parts.ports, { publicUrl, oidcProviders: config.oidcProviders }),
  outbound: {
    outboundAllow: config.outboundAllow,
    outboundCa: config.outboundCa,
    publicUrl,
    userAgent: `Reeve/${VERSION}`,
  },
})
