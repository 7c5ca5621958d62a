import { join } from 'node:path'
import type { Project } from './project.ts'
import { findWorkerd } from './runtimes.ts'

/** The configuration of workerd: without the network `internet`, a worker could not send requests to this machine. */
const createConfiguration = (compatibilityDate: string, variables: readonly string[]): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")]
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "bundle/worker.js")],
  compatibilityDate = "${compatibilityDate}",
  bindings = [${variables.map((name) => `(name = "${name}", fromEnvironment = "${name}")`).join(', ')}]
);
`

/** Bundles a module of a project for workers, as their tools do. */
export async function bundleWorker(project: Project, entry: string): Promise<void> {
  const bundle = await Bun.build({
    entrypoints: [join(project.path, entry)],
    outdir: join(project.path, 'bundle'),
    naming: 'worker.js',
    target: 'browser',
    conditions: ['workerd', 'worker'],
  })
  if (!bundle.success) throw new AggregateError(bundle.logs)
}

/**
 * Runs the bundled worker of a project in workerd, and sends it a request.
 * @param compatibilityDate whose behaviour the runtime has
 * @returns its response, as text
 */
export async function runWorker(
  project: Project,
  compatibilityDate: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  project.write('worker.capnp', createConfiguration(compatibilityDate, Object.keys(env)))
  // It reports the port on the file descriptor, as a line of JSON.
  const workerd = Bun.spawn([findWorkerd(), 'serve', 'worker.capnp', '--control-fd=1'], {
    cwd: project.path,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    const { value } = await workerd.stdout.getReader().read()
    if (value === undefined) throw new Error(await new Response(workerd.stderr).text())
    const { port } = JSON.parse(new TextDecoder().decode(value)) as { port: number }
    const response = await fetch(`http://127.0.0.1:${port}`)
    const text = await response.text()
    if (!response.ok) {
      workerd.kill()
      throw new Error(`${text}\n${await new Response(workerd.stderr).text()}`)
    }
    return text
  } finally {
    workerd.kill()
    await workerd.exited
  }
}
