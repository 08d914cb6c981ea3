package roll.env.click_and_read.site;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import roll.env.click_and_read.site.Line.Kind;

/** A page as it is seen: a title and numbered lines. Immutable, shared by all sessions. */
public final class Page {
  /** Names and numbers: what an agent that only chooses may answer. */
  private static final Pattern PHRASE =
      Pattern.compile("\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)*|\\d[\\d.,]*\\d|\\d");

  private static final int PHRASES = 20;

  private final String path;
  private final String title;
  private final List<Line> lines;
  private final String text;
  private final List<String> clicks;
  private final List<String> phrases;

  /**
   * A page.
   *
   * @param path its path in the site
   * @param title its title, may be empty
   * @param all what is visible, from top to bottom
   * @param most characters of lines, beyond which the page is cut
   */
  Page(String path, String title, List<Line> all, int most) {
    this.path = path;
    this.title = title;
    StringBuilder shown = new StringBuilder();
    List<Line> kept = new ArrayList<>();
    for (Line line : all) {
      String next = "\n[" + (kept.size() + 1) + "] " + line.shown();
      if (shown.length() + next.length() > most) {
        break;
      }
      shown.append(next);
      kept.add(line);
    }
    lines = List.copyOf(kept);
    boolean cut = kept.size() < all.size();
    text = "Page: " + title + " (" + path + ")" + shown + (cut ? "\n(the page is cut here)" : "");
    clicks =
        IntStream.rangeClosed(1, lines.size())
            .filter(number -> lines.get(number - 1).kind() == Kind.LINK)
            .mapToObj(number -> "click[" + number + "]")
            .toList();
    phrases = List.copyOf(phrases(lines));
  }

  private static Set<String> phrases(List<Line> lines) {
    Set<String> found = new LinkedHashSet<>();
    for (Line line : lines) {
      Matcher matcher = PHRASE.matcher(line.kind() == Kind.TEXT ? line.text() : "");
      while (matcher.find() && found.size() < PHRASES) {
        found.add(matcher.group());
      }
    }
    return found;
  }

  /** Where the page is on its site. */
  public String path() {
    return path;
  }

  /** Its title; may be empty. */
  public String title() {
    return title;
  }

  /** What is visible; line {@code i} has the number {@code i + 1}. */
  public List<Line> lines() {
    return lines;
  }

  /** Title, path and numbered lines. */
  public String text() {
    return text;
  }

  /** {@code click[number]} for each link of the site. */
  public List<String> clicks() {
    return clicks;
  }

  /** Some names and numbers that the page's text has. */
  public List<String> phrases() {
    return phrases;
  }

  /** The line with this number, or the first link that says {@code label}, in any case. */
  public Optional<Line> find(String label) {
    if (label.matches("\\d{1,6}")) {
      int number = Integer.parseInt(label);
      return number >= 1 && number <= lines.size()
          ? Optional.of(lines.get(number - 1))
          : Optional.empty();
    }
    return lines.stream()
        .filter(line -> line.kind() == Kind.LINK || line.kind() == Kind.OUTSIDE)
        .filter(line -> line.text().equalsIgnoreCase(label))
        .findFirst();
  }
}
