package roll.env.click_and_read.site;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.env.click_and_read.Sites;

/** Links lead to pages of the site and nowhere else. */
class LinkResolverTest {
  private static final Set<String> PATHS =
      Set.of("index.html", "a/index.html", "a/b c.html", "a/ü.html", "old/index.htm");

  private static Optional<String> target(String href) {
    return LinkResolver.resolve(LinkResolver.of("a/index.html"), href)
        .flatMap(address -> LinkResolver.inside(address, PATHS));
  }

  @ParameterizedTest
  @CsvSource({
    "/, index.html",
    "../, index.html",
    "../index.html?x=1#top, index.html",
    "#top, a/index.html",
    "?q=1, a/index.html",
    "'', a/index.html",
    "., a/index.html",
    "/a, a/index.html",
    "b c.html, a/b c.html",
    "b%20c.html, a/b c.html",
    "ü.html, a/ü.html",
    "%C3%BC.html, a/ü.html",
    "/old/, old/index.htm",
    "./../a/./b%20c.html, a/b c.html",
    "//site.invalid/index.html, index.html",
    "HTTP://SITE.INVALID/index.html, index.html"
  })
  void inside(String href, String path) {
    assertEquals(Optional.of(path), target(href));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.org/index.html",
        "http://example.org/",
        "//example.org/index.html",
        "https://site.invalid/index.html",
        "http://site.invalid:8080/index.html",
        "http://site.invalid@example.org/index.html",
        "http://example.org@site.invalid/index.html",
        "file:///etc/passwd",
        "file:index.html",
        "../../index.html",
        "../../../etc/passwd",
        "/../index.html",
        "/a/../../index.html",
        "%2e%2e/%2e%2e/etc/passwd",
        "..%2f..%2fetc/passwd",
        "..\\..\\index.html",
        "\\\\example.org\\index.html",
        "javascript:alert(1)",
        "mailto:a@example.org",
        "tel:123",
        "data:text/html,x",
        "about:blank",
        "http:index.html",
        "http://[",
        "%zz",
        "nowhere.html"
      })
  void outside(String href) {
    assertEquals(Optional.empty(), target(href));
  }

  @Test
  void aBaseElementThatLeadsOutTakesAllRelativeLinksWithIt() {
    String html = "<base href='http://example.org/'><a href='index.html'>x</a>";
    assertEquals(PageElement.Kind.OUTSIDE, Sites.page(html).lines().getFirst().kind());
    String inside = "<base href='/a/'><a href='../index.html'>x</a>";
    assertEquals("index.html", Sites.page(inside).lines().getFirst().target());
  }
}
