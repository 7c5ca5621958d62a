import classes from './initials.module.css'

/** The first letters of a name's first and last word, or of its only one. */
function getInitials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    words.length > 1 ? [words[0], words.at(-1)].map((word) => [...(word ?? '')][0]) : [...name].slice(0, 2)
  return letters.join('').toLocaleUpperCase()
}

/** A mark to tell people apart by. It is a picture: the name stands beside it, or names the button it is on. */
export const Initials = ({ name, size = 24 }: { readonly name: string; readonly size?: number }) => (
  <span
    aria-hidden
    className={classes.initials}
    data-initials={getInitials(name)}
    style={{ width: size, height: size, fontSize: size * 0.4 }}
  />
)
