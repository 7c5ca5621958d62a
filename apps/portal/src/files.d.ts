/** A file of the built portal, named by its content hash, with its compressed variants. */
export interface BuiltFile {
  readonly name: string
  /** The path of the uncompressed file, on disk or inside the binary. */
  readonly identity: string
  readonly br: string
  readonly gzip: string
}

export declare const files: readonly BuiltFile[]

/** The names of the files that the page loads first. */
export declare const entry: {
  /** Sets the color scheme before the first paint. */
  readonly scheme: string
  readonly script: string
  readonly style: string
}
