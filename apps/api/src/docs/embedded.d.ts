// Files that are served unchanged. Each import resolves to a path, on disk or inside the binary.
declare module '*/standalone.js' {
  const path: string
  export default path
}
