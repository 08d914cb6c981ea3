package roll.env.click_and_read.site;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jsoup.nodes.Document;
import roll.env.click_and_read.site.PageElement.Kind;

/** The pages of a site, parsed once and shared by all sessions. */
public final class Site {
  private final Map<String, Page> pages = new TreeMap<>();
  private final SiteContent content;

  /** The pages that link to each page. */
  private final Map<String, List<String>> sources = new HashMap<>();

  /**
   * Creates a site.
   *
   * @param documents path and content of each page
   * @param content all files, for a browser
   * @param most maximum characters shown of a page
   */
  Site(Map<String, Document> documents, SiteContent content, int most) {
    this.content = content;
    Set<String> paths = Set.copyOf(documents.keySet());
    documents.forEach(
        (path, document) -> pages.put(path, PageReader.read(document, path, paths, most)));
    for (Page page : pages.values()) {
      page.lines().stream()
          .filter(line -> line.kind() == Kind.LINK)
          .forEach(
              line ->
                  sources.computeIfAbsent(line.target(), _ -> new ArrayList<>()).add(page.path()));
    }
  }

  /** Returns the existing page at {@code path}. */
  public Page page(String path) {
    return Objects.requireNonNull(pages.get(path), path);
  }

  /** Returns all files of the site. */
  public SiteContent content() {
    return content;
  }

  /**
   * Returns the path of the page that {@code href} resolves to against {@code base}; empty if none.
   */
  public Optional<String> target(URI base, String href) {
    return LinkResolver.resolve(base, href)
        .flatMap(address -> LinkResolver.inside(address, pages.keySet()));
  }

  boolean has(String path) {
    return pages.containsKey(path);
  }

  /** Returns the paths of all pages that contain one of {@code answers}. */
  Set<String> mentioning(List<String> answers) {
    return pages.values().stream()
        .filter(page -> answers.stream().anyMatch(answer -> AnswerMatch.within(answer, said(page))))
        .map(Page::path)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String said(Page page) {
    return page.lines().stream().map(PageElement::text).collect(Collectors.joining(" "));
  }

  /**
   * Returns the minimum clicks from each page to the nearest of {@code targets}; unreachable pages
   * are missing.
   */
  Map<String, Integer> clicks(Set<String> targets) {
    Map<String, Integer> clicks = new HashMap<>();
    Deque<String> reached = new ArrayDeque<>(targets);
    targets.forEach(target -> clicks.put(target, 0));
    while (!reached.isEmpty()) {
      String path = reached.remove();
      int next = Objects.requireNonNull(clicks.get(path)) + 1;
      for (String source : sources.getOrDefault(path, List.of())) {
        if (clicks.putIfAbsent(source, next) == null) {
          reached.add(source);
        }
      }
    }
    return Map.copyOf(clicks);
  }
}
