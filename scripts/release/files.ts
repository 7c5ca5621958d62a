import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildInfo } from '../../apps/api/build-info.ts'
import { version } from '../../apps/api/package.json'
import { ROOT } from '../step.ts'
import { packArchive, renderChecksums } from './archive.ts'
import { compileTarget } from './compile-target.ts'
import { renderLicenses } from './licenses.ts'
import { listPackages } from './packages.ts'
import { renderSbom } from './sbom.ts'
import type { Target } from './targets.ts'

/**
 * Writes the files of a release: an archive per target, the SBOM of all, the TypeScript client, and their checksums. Portal and client must
 * have been built.
 * @param out a folder; it is created if it does not exist
 */
export async function writeRelease(targets: readonly Target[], build: BuildInfo, out: string): Promise<void> {
  mkdirSync(out, { recursive: true })
  const checksums = new Map<string, string>()
  const write = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    await Bun.write(join(out, name), bytes)
    checksums.set(name, new Bun.CryptoHasher('sha256').update(bytes).digest('hex'))
    console.log(`✓ ${name}  ${(bytes.length / 1e6).toFixed(1)} MB`)
  }
  const time = new Date(build.time)
  const license = await Bun.file(join(ROOT, 'LICENSE')).bytes()
  const portalModules = await listPortalModules()
  const allModules = new Set(portalModules)
  for (const target of targets) {
    const { binary, modules } = await compileTarget(target)
    for (const module of modules) allModules.add(module)
    const licenses = renderLicenses(listPackages([...modules, ...portalModules]), Bun.version)
    const name = `reeve-${version}-${target.name}`
    const content = [
      { name: 'reeve', bytes: binary, isExecutable: true },
      { name: 'LICENSE', bytes: license },
      { name: 'THIRD_PARTY_LICENSES', bytes: encode(licenses) },
    ]
    await write(`${name}.tar.gz`, await packArchive(name, content, time))
  }
  const product = { version, commit: build.commit, time, bunVersion: Bun.version }
  await write(`reeve-${version}.cdx.json`, encode(renderSbom(listPackages(allModules), product)))
  const client = `reeve-client-${version}.tgz`
  await write(client, await Bun.file(join(ROOT, 'dist', client)).bytes())
  await Bun.write(join(out, 'SHA256SUMS'), renderChecksums(checksums))
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** The absolute paths of the modules in the scripts of the portal, which its build lists. */
async function listPortalModules(): Promise<readonly string[]> {
  const dist = join(ROOT, 'apps/portal/dist')
  const modules = (await Bun.file(join(dist, 'modules.json')).json()) as readonly string[]
  return modules.map((path) => join(dist, path))
}
