import { AppError } from '@reeve/core'
import type { BuiltFile, entry } from '@reeve/portal/files'
import { type Asset, toAsset } from '../asset.ts'
import { createCachedLoad } from '../cached-load.ts'

interface PortalBuild {
  readonly assets: readonly Asset[]
  readonly entry: typeof entry
}

/** Loads the portal's files on first use, so that a server that serves only the API does not pay for them. */
export const loadBuild = createCachedLoad(load)

/** @throws AppError `unavailable` if the portal is not built */
async function load(): Promise<PortalBuild> {
  const { files, entry } = await import('@reeve/portal/files').catch(() => {
    throw new AppError('unavailable', {
      message: 'The portal is not built. Run `bun run build` and restart Reeve.',
    })
  })
  return { assets: files.map((file: BuiltFile) => toAsset(file)), entry }
}
