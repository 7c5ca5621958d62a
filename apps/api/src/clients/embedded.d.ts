// Sources that are part of the program as a text.
declare module '*.luau' {
  const source: string
  export default source
}
