package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.PageElement;
import roll.env.click_and_read.site.PageElement.Kind;

class PageReaderTest {
  private static List<String> shown(String html) {
    return Sites.page(html).lines().stream().map(PageElement::shown).toList();
  }

  @Test
  void headingsParagraphsRowsAndLinks() {
    assertEquals(
        List.of(
            "heading: A   guide".replaceAll(" +", " "),
            "text: See the hall and more.",
            "link: hall",
            "text: Year | Name",
            "text: 1912 | Ada",
            "text: one",
            "text: two",
            "link: Start"),
        shown(
            """
            <h1>A
              guide</h1>
            <p>See the <a href="">hall</a> and <b>more</b>.</p>
            <table><tr><th>Year</th><th>Name</th></tr><tr><td>1912<td>Ada</table>
            one<br>two
            <ul><li><a href="index.html">Start</a></li></ul>
            """));
  }

  @Test
  void aRowOfLinksIsOnlyLinks() {
    assertEquals(
        List.of("link: One", "link: Two"),
        shown("<nav><a href='?a=1'>One</a> | <a href='#x'>Two</a></nav>"));
  }

  @Test
  void whatCannotBeSeenIsNotThere() {
    assertEquals(
        List.of("text: seen"),
        shown(
            "<script>x()</script><style>p{}</style><template>t</template><p hidden>h</p>"
                + "<p style='color:red; DISPLAY : none'>d</p><p style='visibility:hidden'>v</p>"
                + "<!-- c --><iframe>i</iframe><p>seen</p>"));
  }

  @Test
  void linksWithoutTextAreNamedByTheirPicture() {
    assertEquals(
        List.of("link: A map"), shown("<a href='index.html'><img src='m.png' alt='A map'></a>"));
    assertEquals(List.of("link: Map"), shown("<a href='index.html' aria-label='Map'></a>"));
    assertEquals(List.of("link: (no text)"), shown("<a href='index.html'></a>"));
  }

  @Test
  void anAnchorWithoutAddressIsText() {
    assertEquals(List.of("text: here"), shown("<a name='x'>here</a>"));
  }

  @Test
  void linesAreNumberedAndLongPagesCut() {
    String html = "<title> T </title>" + "<p>12345</p>".repeat(1_000);
    Page page = Sites.page(html);
    assertTrue(page.text().startsWith("Page: T (index.html)\n[1] text: 12345\n[2] text: 12345"));
    assertTrue(page.text().endsWith("\n(the page is cut here)"), page.text());
    assertTrue(page.text().length() < 8_100, () -> "length " + page.text().length());
    // [1] to [9] take 16 characters with their line end, [10] to [99] 17, the others 18
    assertEquals(9 + 90 + (8_000 - 9 * 16 - 90 * 17) / 18, page.lines().size());
  }

  @Test
  void linesAreFoundByNumberAndByLabel() {
    Page page = Sites.page("<h1>Top</h1><a href='https://x.example'>Far</a><br><a href=''>Top</a>");
    assertEquals(Kind.HEADING, page.find("1").orElseThrow().kind());
    assertEquals(Kind.OUTSIDE, page.find("far").orElseThrow().kind());
    assertEquals(Kind.LINK, page.find("TOP").orElseThrow().kind());
    assertTrue(page.find("0").isEmpty() && page.find("4").isEmpty());
    assertTrue(page.find("99999999999").isEmpty() && page.find("").isEmpty());
  }

  @Test
  void anyNestingIsSurvived() {
    assertEquals(List.of("text: deep"), shown("<div>".repeat(20_000) + "deep"));
    assertEquals(List.of("text: deep"), shown("<b><i>".repeat(20_000) + "deep"));
  }
}
