/** The packed package: the name of the file, and its path on disk or inside the binary. */
export declare const archive: { readonly name: string; readonly path: string }
