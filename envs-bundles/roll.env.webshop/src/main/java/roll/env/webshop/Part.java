package roll.env.webshop;

/**
 * One visible piece of a page.
 *
 * @param kind what it is
 * @param text what it says
 */
record Part(Kind kind, String text) {
  /** What a piece of a page is; all but texts can be clicked. */
  enum Kind {
    /** Text to read. */
    TEXT,
    /** A button that leads elsewhere. */
    BUTTON,
    /** The number of a product, a link to it. */
    PRODUCT,
    /** A value of an option. */
    VALUE
  }

  static Part text(String text) {
    return new Part(Kind.TEXT, text);
  }

  static Part button(String text) {
    return new Part(Kind.BUTTON, text);
  }
}
