// Files that are served as they are. Each import gives where the file is: on disk, or inside the binary.
declare module '*/standalone.js' {
  const path: string
  export default path
}
