package roll.env.click_and_read.site;

/**
 * One visible piece of a page.
 *
 * @param kind what it is
 * @param text what it says, in one line
 * @param target path of the page a {@link Kind#LINK} leads to; empty for all others
 */
public record Line(Kind kind, String text, String target) {
  /** What a piece of a page is; only links can be clicked. */
  public enum Kind {
    HEADING("heading: "),
    TEXT("text: "),
    LINK("link: "),
    /** A link to anything that is no page of the site. */
    OUTSIDE("outside link, not clickable: ");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /** The piece as the agent reads it. */
  public String shown() {
    return kind.label + text;
  }
}
