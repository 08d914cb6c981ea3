package roll.config.tree;

import java.time.Duration;

/**
 * The limits on the size of a configuration, as written and expanded. With nested references or
 * aliases, a few lines can expand to more than any memory holds; these bounds are far above the
 * needs of a run and far below what takes a second to load.
 */
final class Bounds {
  /** Bytes of a file. */
  static final int FILE = 2 << 20;

  /** In which a pipe has to give its text. */
  static final Duration PIPE = Duration.ofSeconds(10);

  /** Files that are composed into one, itself included. */
  static final int FILES = 100;

  /** Mappings, lists and scalars, with references and aliases expanded. */
  static final int VALUES = 100_000;

  /** Characters of a text with its interpolations expanded. */
  static final int TEXT = 1 << 20;

  /** Characters of a line without a key, for which the parser takes time by their square. */
  static final int LINE = TEXT + 1000;

  /** Characters within which the key of a line ends; YAML allows 1024. */
  static final int LINE_KEY = 2000;

  /** Characters of all texts with interpolations. */
  static final int TEXTS = 16 << 20;

  /** Nesting depth of mappings, lists and references. */
  static final int DEPTH = 100;

  /** Nesting depth of interpolations. */
  static final int NESTED = 10;

  /** Maximum number of keys in an override's path. */
  static final int PATH = 50;

  /** Maximum number of characters of a key. */
  static final int KEY = 500;

  /** Characters of a plain scalar that may be a number or a boolean. */
  static final int NUMBER = 100;

  private Bounds() {}
}
