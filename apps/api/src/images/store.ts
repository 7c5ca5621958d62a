import type { ImageStore } from '@reeve/core'
import type { Config } from '../settings.ts'
import { createBucketStore } from './bucket.ts'
import { databaseImageStore } from './database-store.ts'
import { toImageBucketSettings } from './settings.ts'

/** The image store that the settings select. */
export function createImageStore(config: Config): ImageStore {
  const settings = toImageBucketSettings(config)
  return settings === null ? databaseImageStore : createBucketStore(settings)
}
