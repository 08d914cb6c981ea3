package roll.env.click_and_read.site;

/**
 * A visible element of a page.
 *
 * @param kind kind of the element
 * @param text its text, in one line
 * @param target path of the page a {@link Kind#LINK} leads to; empty for all others
 */
public record PageElement(Kind kind, String text, String target) {
  /** The kind of an element; only links can be clicked. */
  public enum Kind {
    HEADING("heading: "),
    TEXT("text: "),
    LINK("link: "),
    /** Page element kind: a link to a page outside the site. */
    OUTSIDE("outside link, not clickable: ");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /** Returns the element as the agent sees it. */
  public String shown() {
    return kind.label + text;
  }
}
