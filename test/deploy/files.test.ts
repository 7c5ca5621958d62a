import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createKeyFile } from '@reeve/api/backups/encryption/key-file'
import { ConfigError, readConfig } from '@reeve/api/config'
import { getFileVariable } from '@reeve/api/secret-files'
import type { Setting } from '@reeve/api/setting'
import { settings } from '@reeve/api/settings'
import { VERSION } from '@reeve/api/version'
import { openInstance } from '../support/instance.ts'
import { BINARY, ROOT } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SYSTEMD_ANALYZE = '/usr/bin/systemd-analyze'

const folder = join(ROOT, 'deploy')
const files = [...new Bun.Glob('**/*').scanSync({ cwd: folder, dot: true })].sort()
const text = (file: string) => readFileSync(join(folder, file), 'utf8')
/** The YAML documents of a file, untyped: the tests assert their values. */
// biome-ignore lint/suspicious/noExplicitAny: see above
const yaml = (file: string): any => Bun.YAML.parse(text(file))
// biome-ignore lint/suspicious/noExplicitAny: see above
const manifests = yaml('kubernetes/reeve.yaml') as any[]
const manifest = (kind: string) => manifests.find((source) => source.kind === kind)
const container = manifest('Deployment').spec.template.spec.containers[0]

/** The variables in a file of `NAME=value` lines, including those commented out. */
const readVariables = (file: string): Record<string, string> =>
  Object.fromEntries(
    [...text(file).matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

/** Secrets instead of the placeholders. */
const fillInSecrets = (secrets: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      value.replace('change-me', 'a-token-of-some-length'),
    ]),
  )

function listProblems(env: Record<string, string>): readonly string[] {
  try {
    readConfig({}, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('every YAML file is valid, and the index lists every file', () => {
  for (const file of files.filter((name) => /\.ya?ml$/.test(name))) expect(yaml(file)).toBeObject()
  const index = text('README.md')
  for (const file of files) if (file !== 'README.md') expect(index).toContain(`(${file})`)
})

test('every REEVE_ variable is a setting', () => {
  const known = Object.values<Setting<unknown>>(settings).flatMap((setting) => [
    setting.env,
    getFileVariable(setting),
  ])
  for (const file of files) {
    for (const [name] of text(file).matchAll(/\bREEVE_[A-Z0-9_]*[A-Z0-9]\b/g)) {
      expect({ file, name, isKnown: known.includes(name) }).toEqual({ file, name, isKnown: true })
    }
  }
})

test('startup accepts the settings', () => {
  const unit = readVariables('systemd/reeve.env')
  const secrets = {
    REEVE_S3_ACCESS_KEY_ID: 'id',
    REEVE_S3_SECRET_ACCESS_KEY: 'secret',
    REEVE_BACKUP_S3_ACCESS_KEY_ID: 'id',
    REEVE_BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
    REEVE_METRICS_TOKEN: 'a-token-of-some-length',
  }
  for (const name of Object.keys(secrets)) expect({ name, value: unit[name] }).toEqual({ name, value: '' })
  const temporary = temporaryFolder()
  const keyFile = join(temporary.path, 'backup.key')
  createKeyFile(keyFile)
  const composeVariables = Object.entries(yaml('docker/compose.yaml').services.reeve.environment).map(
    ([name, value]) => [
      name,
      String(value).replaceAll(
        /\$\{(\w+):\?[^}]*\}/g,
        name === 'REEVE_SECRET_KEY' ? SECRET_KEY : 'filled-in',
      ),
    ],
  )
  for (const env of [
    { ...fillInSecrets(unit), ...secrets, REEVE_BACKUP_KEY_FILE: keyFile, REEVE_SECRET_KEY_FILE: keyFile },
    Object.fromEntries(composeVariables),
    {
      ...manifest('ConfigMap').data,
      ...fillInSecrets(manifest('Secret').stringData),
      REEVE_SECRET_KEY: SECRET_KEY,
    },
  ]) {
    expect(readConfig({}, env).publicUrl?.protocol).toBe('https:')
  }
  temporary.remove()
})

test('the trusted proxies are single addresses or a number, and the proxies tell them the protocol of the client', () => {
  const { reeve, caddy } = yaml('docker/compose.yaml').services
  const trusted = {
    systemd: readVariables('systemd/reeve.env').REEVE_TRUSTED_PROXIES,
    compose: reeve.environment.REEVE_TRUSTED_PROXIES,
    kubernetes: manifest('ConfigMap').data.REEVE_TRUSTED_PROXIES,
  }
  expect(trusted).toEqual({
    systemd: '127.0.0.1,::1',
    compose: caddy.networks.inside.ipv4_address,
    kubernetes: '1',
  })
  // A number of proxies is believed from every address, so nothing else may connect.
  const { podSelector, ingress } = manifest('NetworkPolicy').spec
  expect(podSelector).toEqual(manifest('Deployment').spec.selector)
  expect(ingress).toHaveLength(1)
  expect(ingress[0].from).toHaveLength(2)
  expect(text('nginx/reeve.conf')).toContain('proxy_set_header X-Forwarded-Proto $scheme;')
})

test('the names by which Caddy checks the processes are known to them', () => {
  const { reeve, caddy } = yaml('docker/compose.yaml').services
  const names = caddy.environment.UPSTREAMS.split(' ').map((upstream: string) => upstream.split(':')[0])
  expect(reeve.environment.REEVE_HOSTS.split(',')).toEqual(names)
})

test('no example contains a secret that works', () => {
  const { stringData } = manifest('Secret')
  const placeholders = Object.entries<string>(stringData).filter(([, value]) => value !== '')
  for (const [name, value] of placeholders) {
    expect({ name, value }).toEqual({ name, value: expect.stringMatching(/(^|:)change-me(@|$)/) })
    expect(listProblems({ [name]: value, REEVE_SECRET_KEY: SECRET_KEY })).toEqual([
      `${name} is still the placeholder of the example. Generate a secret, for example with \`openssl rand -hex 32\`.`,
    ])
  }
  expect(placeholders.map(([name]) => name)).toEqual(['REEVE_DATABASE_URL', 'REEVE_METRICS_TOKEN'])
  for (const variables of [readVariables('docker/example.env'), readVariables('systemd/reeve.env')])
    for (const [name, value] of Object.entries(variables))
      if (/PASSWORD|PASSPHRASE|TOKEN$|_KEY$|_KEY_ID$/.test(name))
        expect({ name, value }).toEqual({ name, value: '' })
  expect(readVariables('systemd/reeve.env').REEVE_DATABASE_URL).toContain(':change-me@')
})

test('compose builds the image of this version from the files of a release', () => {
  expect(readVariables('docker/example.env').VERSION).toBe(VERSION)
  const { image, build } = yaml('docker/compose.yaml').services.reeve
  expect(image).toMatch(/^reeve:\$\{VERSION\}$/)
  expect(join(folder, 'docker', build.context)).toBe(join(ROOT, 'dist/release'))
  expect(join(folder, 'docker', build.context, build.dockerfile)).toBe(join(folder, 'docker/Dockerfile'))
})

test('every image is pinned by its digest, and nothing starts before it is filled in', () => {
  const { services } = yaml('docker/compose.yaml')
  const digests = readVariables('docker/example.env')
  const external = Object.values<{ image: string; build?: object }>(services).filter(({ build }) => !build)
  expect(external).toHaveLength(2)
  for (const { image } of external) {
    const [, variable = ''] = /^[a-z]+:\d+@\$\{([A-Z]+_DIGEST):\?[^}]+\}$/.exec(image) ?? []
    expect([image, digests[variable]]).toEqual([image, ''])
  }
  const bases = [...text('docker/Dockerfile').matchAll(/^FROM (?:--platform=\S+ )?\S+@\$([A-Z_]+)/gm)]
  expect(bases.map(([, name]) => name)).toEqual(['DEBIAN_DIGEST', 'DISTROLESS_DIGEST'])
  expect(text('docker/Dockerfile').match(/^FROM /gm)).toHaveLength(2)
  for (const [, name = ''] of bases) {
    expect(text('docker/Dockerfile')).toMatch(new RegExp(`^ARG ${name}$`, 'm'))
    expect(services.reeve.build.args[name]).toBe(`\${${name}:?set it in .env}`)
    expect(digests[name]).toBe('')
  }
  // Kubernetes starts nothing from a digest that is none.
  expect(container.image).toMatch(/@sha256:FILL-IN-THE-DIGEST$/)
})

test('PgBouncer refuses connections without TLS, and a service cannot use up the memory of the machine', () => {
  const pooler = text('pgbouncer/pgbouncer.ini')
  expect(pooler).toMatch(/^client_tls_sslmode = require$/m)
  expect(pooler).toMatch(/^server_tls_sslmode = verify-full$/m)
  expect(text('systemd/reeve.service')).toMatch(/^MemoryMax=\d+G$/m)
})

test('every container has a read-only root file system and no privileges', () => {
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(yaml('docker/compose.yaml').services.reeve).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  })
})

test('every probe path exists, and the readiness path checks the database', async () => {
  const instance = await openInstance()
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
  for (const { httpGet } of probes) {
    expect((await instance.request('GET', httpGet.path)).status).toBe(200)
    expect(container.ports).toContainEqual({ name: httpGet.port, containerPort: expect.any(Number) })
  }
  await instance.db.close()
  expect((await instance.request('GET', container.livenessProbe.httpGet.path)).status).toBe(200)
  expect((await instance.request('GET', container.readinessProbe.httpGet.path)).status).toBe(503)
})

describe('ports and users match', () => {
  const port = settings.port.fallback
  const { USER: [user] = [], EXPOSE: [exposed] = [] } = Object.groupBy(
    [...text('docker/Dockerfile').matchAll(/^(USER|EXPOSE) (\S+)$/gm)],
    ([, word = '']) => word,
  )

  test('in the image, Kubernetes and the proxies', () => {
    expect(exposed?.[2]).toBe(port)
    expect(text('docker/Dockerfile')).toContain(`REEVE_PORT=${port}`)
    expect(manifest('ConfigMap').data.REEVE_PORT).toBe(port)
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(port) }])
    expect(manifest('Service').spec.ports[0].targetPort).toBe('http')
    expect(text('caddy/Caddyfile')).toContain(`{$UPSTREAMS:127.0.0.1:${port}}\n`)
    expect(text('nginx/reeve-upstreams.conf')).toContain(`server 127.0.0.1:${port} `)
    const { caddy, ...services } = yaml('docker/compose.yaml').services
    const processes = Object.keys(services).filter((name) => name.startsWith('reeve'))
    expect(caddy.environment.UPSTREAMS).toBe(processes.map((name) => `${name}:${port}`).join(' '))
  })

  test('the proxies receive a body completely before they forward it, and do not wait for slow clients', () => {
    for (const setting of ['request_buffers 4MB', 'read_header 10s', 'read_body 30s'])
      expect(text('caddy/Caddyfile')).toContain(`\t${setting}\n`)
    for (const setting of [
      'proxy_request_buffering on',
      'client_header_timeout 10s',
      'client_body_timeout 30s',
    ])
      expect(text('nginx/reeve.conf')).toContain(`  ${setting};\n`)
  })

  test('in the image and Kubernetes', () => {
    const { runAsUser, runAsGroup } = manifest('Deployment').spec.template.spec.securityContext
    expect(user?.[2]).toBe(`${runAsUser}:${runAsGroup}`)
  })

  test('and all Kubernetes resources select the same pods', () => {
    const { labels } = manifest('Deployment').spec.template.metadata
    expect(manifest('Deployment').spec.selector.matchLabels).toEqual(labels)
    expect(manifest('Service').spec.selector).toEqual(labels)
    expect(manifest('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
    expect(manifest('PodDisruptionBudget').spec.minAvailable).toBeLessThan(
      manifest('Deployment').spec.replicas,
    )
    const envSourceNames = container.envFrom.map((source: object) => Object.values(source)[0].name)
    expect(envSourceNames).toEqual([manifest('ConfigMap').metadata.name, manifest('Secret').metadata.name])
  })
})

test('Kubernetes starts the image of this version, and gets it only if it is missing', () => {
  expect(container.image).toContain(`/reeve:${VERSION}@`)
  expect(container.imagePullPolicy).toBe('IfNotPresent')
})

test.skipIf(!existsSync(SYSTEMD_ANALYZE))('systemd-analyze accepts the units', async () => {
  const tempFolder = temporaryFolder()
  const units = ['systemd/reeve.service', 'nginx/reeve-upstreams.service'].map((file) => {
    const unit = join(tempFolder.path, basename(file))
    writeFileSync(unit, text(file).replace(/\/usr\/local\/s?bin\/\S+/, BINARY[0]))
    return unit
  })
  const child = Bun.spawn([SYSTEMD_ANALYZE, 'verify', ...units], { stdout: 'pipe', stderr: 'pipe' })
  const processOutput = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect({ exitCode: await child.exited, processOutput: processOutput.join('') }).toEqual({
    exitCode: 0,
    processOutput: '',
  })
  tempFolder.remove()
})
