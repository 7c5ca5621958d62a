import { join } from 'node:path'
import type { Runtime } from '../../apps/api/compile.ts'
import { ROOT } from '../step.ts'

/** The folder of the runtimes, outside the workspaces so that only releases download them. */
export const RELEASE_FOLDER = join(ROOT, 'release')

/** What a release file is built for. */
export interface Target {
  /** The end of the name of its release file. */
  readonly name: string
  /** The name of the runtime in Bun, and of its package. */
  readonly runtime: `${'linux' | 'darwin'}-${'x64' | 'aarch64'}${'' | '-musl'}`
}

export const targets: readonly Target[] = [
  { name: 'linux-x64', runtime: 'linux-x64' },
  { name: 'linux-arm64', runtime: 'linux-aarch64' },
  { name: 'linux-x64-musl', runtime: 'linux-x64-musl' },
  { name: 'linux-arm64-musl', runtime: 'linux-aarch64-musl' },
  { name: 'macos-arm64', runtime: 'darwin-aarch64' },
  { name: 'macos-x64', runtime: 'darwin-x64' },
]

/** @throws Error that lists the targets if one of the names is none */
export function findTargets(names: readonly string[]): readonly Target[] {
  const known = targets.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`There is no target "${unknown}". The targets are ${known.join(', ')}.`)
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name))
}

/** The runtime in the folder `release`. */
export const getRuntime = ({ runtime }: Target): Runtime => ({
  target: `bun-${runtime}` as Bun.Build.CompileTarget,
  executable: join(RELEASE_FOLDER, `node_modules/@oven/bun-${runtime}/bin/bun`),
})
