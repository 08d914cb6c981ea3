package roll.config.tree;

import java.time.Duration;

/**
 * The limits on the size of a configuration, as written and expanded. With nested references or
 * aliases, a few lines can expand to more than any memory holds; these bounds are far above the
 * needs of a run and far below what takes a second to load.
 */
final class ConfigSizeLimits {
  /** Maximum number of bytes of a configuration file. */
  static final int FILE = 2 << 20;

  /** Time in which a named pipe must deliver its text. */
  static final Duration PIPE = Duration.ofSeconds(10);

  /** Maximum number of files composed into one configuration, the first included. */
  static final int FILES = 100;

  /** Maximum number of mappings, lists and scalars, with references and aliases expanded. */
  static final int VALUES = 100_000;

  /** Maximum number of characters of a text with its interpolations expanded. */
  static final int TEXT = 1 << 20;

  /**
   * Maximum number of characters of a line without a key, for which the parser takes time by their
   * square.
   */
  static final int LINE = TEXT + 1000;

  /** Maximum number of characters within which the key of a line ends; YAML allows 1024. */
  static final int LINE_KEY = 2000;

  /** Maximum number of characters of all texts with interpolations. */
  static final int TEXTS = 16 << 20;

  /** Maximum nesting depth of mappings, lists and references in a configuration. */
  static final int DEPTH = 100;

  /** Maximum nesting depth of interpolations. */
  static final int NESTED = 10;

  /** Maximum number of keys in the path of an override. */
  static final int PATH = 50;

  /** Maximum number of characters of a configuration key. */
  static final int KEY = 500;

  /** Maximum number of characters of a plain scalar that may be a number or a boolean. */
  static final int NUMBER = 100;

  private ConfigSizeLimits() {}
}
