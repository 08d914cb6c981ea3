package roll.config.tree;

import roll.api.option.UserException;

/**
 * The expanded size of a tree, checked against {@link ConfigSizeLimits}; errors name the location.
 */
final class ExpandedSize {
  private final KeyOrigins origins;
  private int depth;
  private int nested;
  private long values;
  private long characters;

  /** Creates the size of an empty tree. */
  ExpandedSize(KeyOrigins origins) {
    this.origins = origins;
  }

  /** Counts {@code more} mappings, lists and scalars at {@code path}. */
  void values(int more, String path) {
    values += more;
    if (values > ConfigSizeLimits.VALUES) {
      throw tooMuch(path, "references expand to more than " + ConfigSizeLimits.VALUES + " values");
    }
  }

  /** Enters {@code levels} nested mappings or references. */
  void enter(int levels, String path) {
    depth += levels;
    if (depth > ConfigSizeLimits.DEPTH) {
      throw tooMuch(
          path,
          "more than " + ConfigSizeLimits.DEPTH + " mappings and references, one inside the other");
    }
  }

  /** Leaves {@code levels} nested collections. */
  void leave(int levels) {
    depth -= levels;
  }

  /** Enters an interpolation while values are expanded. */
  void nest(String path) {
    if (++nested > ConfigSizeLimits.NESTED) {
      throw tooMuch(
          path, "more than " + ConfigSizeLimits.NESTED + " interpolations, one inside the other");
    }
  }

  /** Leaves an interpolation. */
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

  /** Counts a text of {@code length} characters while it is built. */
  void text(int length, String path) {
    if (length > ConfigSizeLimits.TEXT) {
      throw tooMuch(
          path,
          "references expand to a text of more than " + ConfigSizeLimits.TEXT + " characters");
    }
  }

  /** Counts a completed text of {@code length} characters. */
  void texts(int length, String path) {
    characters += length;
    if (characters > ConfigSizeLimits.TEXTS) {
      throw tooMuch(
          path,
          "references expand to texts of more than " + ConfigSizeLimits.TEXTS + " characters");
    }
  }

  private UserException tooMuch(String path, String why) {
    return new UserException(origins.of(path) + ": " + path + ": " + why);
  }
}
