package roll.env.click_and_read.site;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import roll.env.click_and_read.site.PageElement.Kind;

/** A parsed page: a title and numbered elements. Immutable, shared by all sessions. */
public final class Page {
  /** Names and numbers, the answers in the list of actions. */
  private static final Pattern PHRASE =
      Pattern.compile("\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)*|\\d[\\d.,]*\\d|\\d");

  private static final int PHRASES = 20;

  private final String path;
  private final String title;
  private final List<PageElement> lines;
  private final String text;
  private final List<String> clicks;
  private final List<String> phrases;

  /**
   * Creates a page.
   *
   * @param path its path in the site
   * @param title its title, may be empty
   * @param all visible elements, from top to bottom
   * @param most maximum characters of the elements
   */
  Page(String path, String title, List<PageElement> all, int most) {
    this.path = path;
    this.title = title;
    StringBuilder shown = new StringBuilder();
    List<PageElement> kept = new ArrayList<>();
    for (PageElement line : all) {
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

  private static Set<String> phrases(List<PageElement> lines) {
    Set<String> found = new LinkedHashSet<>();
    for (PageElement line : lines) {
      Matcher matcher = PHRASE.matcher(line.kind() == Kind.TEXT ? line.text() : "");
      while (matcher.find() && found.size() < PHRASES) {
        found.add(matcher.group());
      }
    }
    return found;
  }

  /** Returns the path of the page on its site. */
  public String path() {
    return path;
  }

  /** Returns the title; may be empty. */
  public String title() {
    return title;
  }

  /** Returns the visible elements; element {@code i} has the number {@code i + 1}. */
  public List<PageElement> lines() {
    return lines;
  }

  /** Returns title, path and numbered elements as text. */
  public String text() {
    return text;
  }

  /** Returns {@code click[number]} for each link of the site. */
  public List<String> clicks() {
    return clicks;
  }

  /** Returns some names and numbers of the page's text. */
  public List<String> phrases() {
    return phrases;
  }

  /**
   * Returns the element with this number, or the first link with the text {@code label},
   * case-insensitive.
   */
  public Optional<PageElement> find(String label) {
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
