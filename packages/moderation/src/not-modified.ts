/** A 304 has no body. Its headers, `ETag` included, are those that were set. */
export function sendNotModified(set: { status?: number | string }): never {
  set.status = 304
  // The type of the response describes bodies only.
  return new Response(null, { status: 304 }) as never
}
