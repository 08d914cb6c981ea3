package roll.shell.terminal;

/**
 * A text of headed sections: each heading on its own line, the section's text indented below it.
 */
public final class SectionedText {
  private final StringBuilder page = new StringBuilder();

  /** A text that begins with {@code title} and a blank line. */
  public SectionedText(String title) {
    page.append(title).append("\n\n");
  }

  /** Appends a section; nothing if {@code text} is blank. */
  public SectionedText add(String heading, String text) {
    if (!text.isBlank()) {
      page.append(heading).append(":\n").append(text.stripTrailing().indent(2)).append('\n');
    }
    return this;
  }

  /** Returns the whole text without a line end after its last line. */
  @Override
  public String toString() {
    return page.toString().stripTrailing();
  }
}
