import { createHash } from 'node:crypto'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { getId, type Package } from './packages.ts'

/** What an SBOM describes. */
export interface Product {
  readonly version: string
  readonly commit: string
  /** The time of the commit. */
  readonly time: Date
  readonly bunVersion: string
}

/** Renders the software bill of materials as CycloneDX 1.6 in JSON: the packages in the binary and the portal, and the Bun runtime. */
export function renderSbom(packages: readonly Package[], product: Product): string {
  const { version, commit, time, bunVersion } = product
  const reeve = createComponent(Enums.ComponentType.Application, 'reeve', version, 'MIT', 'generic')
  reeve.properties.add(new Models.Property('reeve:commit', commit))
  const bun = createComponent(Enums.ComponentType.Platform, 'bun', bunVersion, 'MIT', 'npm')
  bun.description = 'The JavaScript runtime. It links JavaScriptCore (LGPL) and other libraries statically.'
  const libraries = packages.map((found) =>
    createComponent(Enums.ComponentType.Library, found.name, found.version, found.license, 'npm'),
  )
  const components = [bun, ...libraries]
  for (const { bomRef } of components) reeve.dependencies.add(bomRef)
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ timestamp: time, component: reeve }),
    components: new Models.ComponentRepository(components),
    serialNumber: `urn:uuid:${createSerial([`reeve@${version}`, commit, ...packages.map(getId)].join('\n'))}`,
  })
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** @param type the kind of package URL. Source: https://github.com/package-url/purl-spec */
function createComponent(
  kind: Enums.ComponentType,
  name: string,
  version: string,
  license: string,
  type: 'npm' | 'generic',
): Models.Component {
  const purl = `pkg:${type}/${name.replace('@', '%40')}@${version}`
  const isExpression = /[\s()]/.test(license)
  const component = new Models.Component(kind, name, { version, purl, bomRef: purl })
  component.licenses.add(
    isExpression ? new Models.LicenseExpression(license) : new Models.SpdxLicense(license),
  )
  return component
}

/** A UUID that depends on the content only, as version 8 of RFC 9562 allows. */
function createSerial(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
