package roll.env.webshop;

/**
 * A visible element of a page.
 *
 * @param kind kind of the element
 * @param text its text
 */
record PageElement(Kind kind, String text) {
  /** The kind of an element; all but texts can be clicked. */
  enum Kind {
    /** Page element kind: text without a link. */
    TEXT,
    /** Page element kind: a button that leads to another page. */
    BUTTON,
    /** Page element kind: the name of a product, with a link to the product. */
    PRODUCT,
    /** Page element kind: a value of an option. */
    VALUE
  }

  static PageElement text(String text) {
    return new PageElement(Kind.TEXT, text);
  }

  static PageElement button(String text) {
    return new PageElement(Kind.BUTTON, text);
  }
}
