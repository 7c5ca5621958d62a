import type { AppContext } from '@reeve/auth'
import type { Database } from '@reeve/db'
import { createApp } from '../app.ts'
import { databaseImageStore } from '../images/database-store.ts'
import { realPorts } from '../ports.ts'
import { type OpenapiDocument, openapiDocument } from './document.ts'
import { portalDocument } from './portal-document.ts'

const rejectAccess = (): Promise<never> =>
  Promise.reject(new Error('the interface is only described here: there is no database'))

/** Stands where a database would: describing the interface reads and changes nothing. */
const stubDatabase: Database = {
  read: { first: rejectAccess, all: rejectAccess },
  write: rejectAccess,
  onChange: () => () => {},
  onMissedChanges: () => () => {},
  ping: rejectAccess,
  isShared: false,
  broadcast: rejectAccess,
  onBroadcast: () => () => {},
  stats: () => ({ committed: 0, waiting: 0 }),
  diskUsage: rejectAccess,
  engine: () => '',
  fatalError: new Promise(() => {}),
  close: async () => {},
}

interface DocumentOptions {
  readonly publicUrl: URL
  readonly legacyPrefix: string
}

/** The program as its routes are described: nothing of it can be called. */
const createStubContext = (options: DocumentOptions): AppContext =>
  createApp({
    db: stubDatabase,
    ports: realPorts,
    images: databaseImageStore,
    settings: {
      publicUrl: options.publicUrl,
      trustedProxies: [],
      keyRatePerMinute: 0,
      sessionRatePerMinute: 0,
    },
    legacyPrefix: options.legacyPrefix,
    corsOrigins: [],
    observer: { onResponse: () => {}, onFailure: () => {} },
    folder: null,
    backupEvery: null,
    getPeerIp: () => '',
  }).context

/** The OpenAPI document of this program, without a running instance: what `reeve openapi` prints and a build writes. */
export const standaloneDocument = (options: DocumentOptions): Promise<OpenapiDocument> =>
  openapiDocument(createStubContext(options), options.legacyPrefix)

/** The document of what serves the portal alone, without a running instance. */
export const standalonePortalDocument = (options: DocumentOptions): Promise<object> =>
  portalDocument(createStubContext(options))
