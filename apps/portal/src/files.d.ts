/** A file of the built portal, named by its content hash, with its compressed variants. */
export interface BuiltFile {
  readonly name: string
  /** The path of the uncompressed file, on disk or inside the binary. */
  readonly identity: string
  readonly br: string
  readonly gzip: string
}

export declare const files: readonly BuiltFile[]

/** What the page loads first. */
export declare const entry: {
  /** A file name. */
  readonly script: string
  /** A file name. */
  readonly style: string
  /** A file name. For the high contrast mode of a system, and only loaded in it. */
  readonly forcedColorsStyle: string
  /** JavaScript that the page contains. */
  readonly inlineScript: string
  /** The files of each bundle by its name, which is the folder of its screens or `shell`, without the first script. */
  readonly bundles: Readonly<Record<string, readonly string[]>>
}
