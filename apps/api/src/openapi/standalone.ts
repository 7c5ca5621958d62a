import type { AppContext } from '@reeve/auth'
import type { Database } from '@reeve/db'
import { createApp } from '../app.ts'
import { inDatabase } from '../images/in-database.ts'
import { type OpenapiDocument, openapiDocument } from '../openapi.ts'
import { realPorts } from '../ports.ts'
import { portalDocument } from './portal.ts'

const refuse = (): Promise<never> =>
  Promise.reject(new Error('the interface is only described here: there is no database'))

/** Stands where a database would: describing the interface reads and changes nothing. */
const noDatabase: Database = {
  read: { first: refuse, all: refuse },
  write: refuse,
  onChange: () => () => {},
  onMissedChanges: () => () => {},
  ping: refuse,
  isShared: false,
  broadcast: refuse,
  onBroadcast: () => () => {},
  stats: () => ({ committed: 0, waiting: 0 }),
  diskUsage: refuse,
  engine: () => '',
  fatalError: new Promise(() => {}),
  close: async () => {},
}

interface Described {
  readonly publicUrl: URL
  readonly legacyPrefix: string
}

/** The program as its routes are described: nothing of it can be called. */
const contextOf = (of: Described): AppContext =>
  createApp({
    db: noDatabase,
    ports: realPorts,
    images: inDatabase,
    settings: { publicUrl: of.publicUrl, trustedProxies: [], keyRatePerMinute: 0, sessionRatePerMinute: 0 },
    legacyPrefix: of.legacyPrefix,
    corsOrigins: [],
    observer: { answered: () => {}, failure: () => {} },
    folder: null,
    backupEvery: null,
    peerOf: () => '',
  }).context

/** The OpenAPI document of this program, without a running instance: what `reeve openapi` prints and a build writes. */
export const standaloneDocument = (of: Described): Promise<OpenapiDocument> =>
  openapiDocument(contextOf(of), of.legacyPrefix)

/** The document of what serves the portal alone, without a running instance. */
export const standalonePortalDocument = (of: Described): Promise<object> => portalDocument(contextOf(of))
