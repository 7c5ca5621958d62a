import { join } from 'node:path'
import { readBuildInfo } from './build-info.ts'

/** A Bun runtime that a binary is built for. */
export interface Runtime {
  /** Its name in Bun, such as `bun-linux-arm64-musl`. */
  readonly target: Bun.Build.CompileTarget
  /** The path of its executable, so that the build downloads nothing. */
  readonly executable: string
}

/** The root of the repository. */
const ROOT = join(import.meta.dir, '../..')

/**
 * Compiles the program into one binary. The same commit gives the same bytes, in every folder.
 * @param outfile its absolute path; an existing file is overwritten
 * @param runtime default: the Bun that runs this
 * @returns the absolute paths of the modules in it
 */
export async function compileBinary(outfile: string, runtime?: Runtime): Promise<string[]> {
  const { commit, time } = readBuildInfo(import.meta.dir, process.env)
  const { metafile } = await inRoot(() =>
    Bun.build({
      // A thread begins with a module of its own.
      entrypoints: ['main.ts', 'sender-thread/main.ts'].map((path) => join(import.meta.dir, 'src', path)),
      target: 'bun',
      format: 'esm',
      // Bytecode avoids parsing at startup, and does not depend on the architecture. Identifiers are not minified, because Elysia reads
      // the source of handlers.
      bytecode: true,
      // What the server imports when it needs it stays out of its memory until then, and out of every garbage collection.
      splitting: true,
      minify: { whitespace: true, syntax: true, identifiers: false },
      define: {
        'process.env.NODE_ENV': '"production"',
        BUILD_COMMIT: JSON.stringify(commit),
        BUILD_TIME: JSON.stringify(time),
        // Otherwise the binary contains the folder of the packages that use it, which is different on each machine.
        __dirname: '"/"',
        __filename: '"/reeve"',
      },
      metafile: true,
      compile: {
        outfile,
        ...(runtime && { target: runtime.target, executablePath: runtime.executable }),
        // Files of the current folder, which may belong to anyone, neither run code nor set anything.
        autoloadBunfig: false,
        autoloadDotenv: false,
        autoloadPackageJson: false,
        autoloadTsconfig: false,
      },
    }),
  )
  if (!metafile) throw new Error('Bun wrote no metafile')
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => join(ROOT, path)),
  )
}

/** Runs a build in the root of the repository: the names of chunks, which the binary contains, depend on the working directory. */
async function inRoot<Result>(build: () => Promise<Result>): Promise<Result> {
  const previous = process.cwd()
  process.chdir(ROOT)
  try {
    return await build()
  } finally {
    process.chdir(previous)
  }
}
