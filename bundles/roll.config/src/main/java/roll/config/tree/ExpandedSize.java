package roll.config.tree;

import roll.api.option.UserException;

/** What has become of a tree so far, against its {@link Bounds}; each excess names its place. */
final class ExpandedSize {
  private final Origins origins;
  private int depth;
  private int nested;
  private long values;
  private long characters;

  /** Nothing yet. */
  ExpandedSize(Origins origins) {
    this.origins = origins;
  }

  /** {@code more} mappings, lists and scalars at {@code path}. */
  void values(int more, String path) {
    values += more;
    if (values > Bounds.VALUES) {
      throw tooMuch(path, "references stand for more than " + Bounds.VALUES + " values");
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
   * Sets how many interpolations are around what comes now, as where a reference leads elsewhere.
   *
   * @return how many there were
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
          path, "references stand for a text of more than " + Bounds.TEXT + " characters");
    }
  }

  /** A text of {@code length} characters is written. */
  void texts(int length, String path) {
    characters += length;
    if (characters > Bounds.TEXTS) {
      throw tooMuch(
          path, "references stand for texts of more than " + Bounds.TEXTS + " characters");
    }
  }

  private UserException tooMuch(String path, String why) {
    return new UserException(origins.of(path) + ": " + path + ": " + why);
  }
}
