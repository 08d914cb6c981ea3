package roll.env.click_and_read.site;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import roll.env.click_and_read.site.PageElement.Kind;

/**
 * Extracts the visible elements of a page: headings, paragraphs and table rows, each followed by
 * its links. A paragraph of links only is listed as those links. Scripts and style sheets are
 * ignored.
 */
public final class PageReader {
  private static final Set<String> UNSEEN =
      Set.of("script", "style", "template", "iframe", "object", "svg", "select", "textarea");

  private static final Pattern HIDDEN =
      Pattern.compile("display\\s*:\\s*none|visibility\\s*:\\s*hidden", Pattern.CASE_INSENSITIVE);

  private static final Pattern HEADING = Pattern.compile("h[1-6]");
  private static final Pattern MARKS = Pattern.compile("[^\\p{L}\\p{N}]");
  private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}\\u00A0]+");

  private final Set<String> paths;
  private final URI base;
  private final List<PageElement> lines = new ArrayList<>();
  private final StringBuilder running = new StringBuilder();
  private final List<PageElement> links = new ArrayList<>();

  private PageReader(Set<String> paths, URI base) {
    this.paths = paths;
    this.base = base;
  }

  /**
   * Parses an HTML page into its visible elements.
   *
   * @param document the page, parsed
   * @param path its path in the site
   * @param paths all paths of the site; other links lead outside
   * @param most maximum characters shown
   */
  public static Page read(Document document, String path, Set<String> paths, int most) {
    URI own = LinkResolver.of(path);
    Element declared = document.selectFirst("base[href]");
    URI base =
        declared == null ? own : LinkResolver.resolve(own, declared.attr("href")).orElse(own);
    PageReader reader = new PageReader(paths, base);
    reader.children(document.body());
    reader.end(Kind.TEXT);
    return new Page(path, squeezed(document.title()), reader.lines, most);
  }

  private void children(Element element) {
    element.childNodes().forEach(this::node);
  }

  private void node(Node node) {
    if (node instanceof TextNode text) {
      running.append(text.getWholeText());
    } else if (node instanceof Element element && !hidden(element)) {
      element(element);
    }
  }

  private static boolean hidden(Element element) {
    return UNSEEN.contains(element.normalName())
        || element.hasAttr("hidden")
        || HIDDEN.matcher(element.attr("style")).find();
  }

  private void element(Element element) {
    String name = element.normalName();
    if (HEADING.matcher(name).matches()) {
      end(Kind.TEXT);
      children(element);
      end(Kind.HEADING);
    } else if (name.equals("a") && element.hasAttr("href")) {
      links.add(link(element));
      children(element);
    } else if (name.equals("img")) {
      running.append(' ').append(element.attr("alt")).append(' ');
    } else if (name.equals("br") || name.equals("hr")) {
      end(Kind.TEXT);
    } else if (name.equals("td") || name.equals("th")) {
      running.append(running.toString().isBlank() ? "" : " | ");
      children(element);
    } else if (element.isBlock()) {
      end(Kind.TEXT);
      children(element);
      end(Kind.TEXT);
    } else {
      children(element);
    }
  }

  private PageElement link(Element element) {
    Element image = element.selectFirst("img[alt]");
    String label =
        List.of(
                element.text(),
                element.attr("aria-label"),
                image == null ? "" : image.attr("alt"),
                element.attr("title"))
            .stream()
            .map(PageReader::squeezed)
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse("(no text)");
    return LinkResolver.resolve(base, element.attr("href"))
        .flatMap(address -> LinkResolver.inside(address, paths))
        .map(target -> new PageElement(Kind.LINK, label, target))
        .orElseGet(() -> new PageElement(Kind.OUTSIDE, label, ""));
  }

  /** Ends a paragraph or heading. */
  private void end(Kind kind) {
    String text = squeezed(running.toString());
    StringBuilder labels = new StringBuilder();
    links.forEach(link -> labels.append(link.text()));
    boolean said = kind == Kind.TEXT && letters(text).equals(letters(labels.toString()));
    if (!text.isEmpty() && !said) {
      lines.add(new PageElement(kind, text, ""));
    }
    lines.addAll(links);
    running.setLength(0);
    links.clear();
  }

  private static String letters(String text) {
    return MARKS.matcher(text).replaceAll("");
  }

  private static String squeezed(String text) {
    return SPACE.matcher(text).replaceAll(" ").strip();
  }
}
