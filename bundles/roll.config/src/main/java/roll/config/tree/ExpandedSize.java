package roll.config.tree;

import roll.api.option.UserException;

/** The expanded size of a tree, checked against {@link Bounds}; errors name the location. */
final class ExpandedSize {
  private final Origins origins;
  private int depth;
  private int nested;
  private long values;
  private long characters;

  /** An empty tree. */
  ExpandedSize(Origins origins) {
    this.origins = origins;
  }

  /** {@code more} mappings, lists and scalars at {@code path}. */
  void values(int more, String path) {
    values += more;
    if (values > Bounds.VALUES) {
      throw tooMuch(path, "references expand to more than " + Bounds.VALUES + " values");
    }
  }

  /** {@code levels} mappings or references deeper. */
  void enter(int levels, String path) {
    depth += levels;
    if (depth > Bounds.DEPTH) {
      throw tooMuch(
          path, "more than " + Bounds.DEPTH + " mappings and references, one inside the other");
    }
  }

  /** Out of {@code levels} of them. */
  void leave(int levels) {
    depth -= levels;
  }

  /** Into an interpolation. */
  void nest(String path) {
    if (++nested > Bounds.NESTED) {
      throw tooMuch(path, "more than " + Bounds.NESTED + " interpolations, one inside the other");
    }
  }

  /** Out of it. */
  void unnest() {
    nested--;
  }

  /**
   * Sets the interpolation depth, as at the target of a reference.
   *
   * @return the previous depth
   */
  int nesting(int now) {
    int before = nested;
    nested = now;
    return before;
  }

  /** A text of {@code length} characters is being written. */
  void text(int length, String path) {
    if (length > Bounds.TEXT) {
      throw tooMuch(
          path, "references expand to a text of more than " + Bounds.TEXT + " characters");
    }
  }

  /** A text of {@code length} characters is written. */
  void texts(int length, String path) {
    characters += length;
    if (characters > Bounds.TEXTS) {
      throw tooMuch(
          path, "references expand to texts of more than " + Bounds.TEXTS + " characters");
    }
  }

  private UserException tooMuch(String path, String why) {
    return new UserException(origins.of(path) + ": " + path + ": " + why);
  }
}
