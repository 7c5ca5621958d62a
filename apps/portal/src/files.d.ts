/** A file of the built portal: under a name made of its content, and as small as each encoding makes it. */
export interface BuiltFile {
  readonly name: string
  /** Where its bytes are, on disk or inside the binary. */
  readonly identity: string
  readonly br: string
  readonly gzip: string
}

export declare const files: readonly BuiltFile[]

/** The names of what the page loads at once. */
export declare const entry: {
  /** Runs before anything is shown: sets the colour scheme. */
  readonly scheme: string
  readonly script: string
  readonly style: string
}
