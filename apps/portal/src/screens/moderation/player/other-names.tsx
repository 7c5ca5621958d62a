/** `Also known as Rider, Storm`; nothing if there are no other names. */
export const OtherNames = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0 ? null : (
    <>
      Also known as{' '}
      {names.map((name, index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </>
  )
