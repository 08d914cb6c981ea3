package roll.config.tree;

/**
 * How much a configuration may be and stand for. A file of a few lines can stand for more than any
 * memory holds, by references or aliases to references or aliases; these bounds are far above what
 * a run needs and far below what takes a second.
 */
final class Bounds {
  /** Bytes of a file. */
  static final int FILE = 2 << 20;

  /** Files that one builds on, itself among them. */
  static final int FILES = 100;

  /** Mappings, lists and scalars, references and aliases written out. */
  static final int VALUES = 100_000;

  /** Characters of a text with interpolations, written out. */
  static final int TEXT = 1 << 20;

  /** Characters of all such texts. */
  static final int TEXTS = 16 << 20;

  /** Mappings, lists and references inside each other. */
  static final int DEPTH = 100;

  /** Interpolations inside the braces of each other. */
  static final int NESTED = 10;

  /** Keys of an override's path. */
  static final int PATH = 50;

  /** Characters of a key. */
  static final int KEY = 500;

  /** Characters of a plain scalar that may be a number or a boolean. */
  static final int NUMBER = 100;

  private Bounds() {}
}
