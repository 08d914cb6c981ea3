package roll.env.click_and_read.site;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the pages of generated sites. Links are maps of address to label. */
final class HtmlWriter {
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>%1$s</title>
      <style>
      body { font: 16px sans-serif; margin: 0 24px; max-width: 720px; color: #1f2933 }
      nav, footer { padding: 10px 0; font-size: 14px }
      nav a + a::before { content: "› " }
      li { padding: 3px 0 }
      </style>
      </head>
      <body>
      <nav>%2$s</nav>
      <h1>%1$s</h1>
      %3$s
      <footer><a href="https://tourism.example/">Tourist office</a></footer>
      </body>
      </html>
      """;

  private HtmlWriter() {}

  /** Returns an index page of a generated site. */
  static String index(String title, Map<String, String> trail, Map<String, String> below) {
    return PAGE.formatted(title, row(trail), list(below));
  }

  /** Returns the page of a place: its sentences in two paragraphs, and links to others. */
  static String place(
      String title, Map<String, String> trail, List<String> sentences, Map<String, String> others) {
    int half = (sentences.size() + 1) / 2;
    String body =
        paragraph(sentences.subList(0, half))
            + paragraph(sentences.subList(half, sentences.size()))
            + (others.isEmpty() ? "" : "<h2>See also</h2>\n" + list(others));
    return PAGE.formatted(title, row(trail), body);
  }

  private static String paragraph(List<String> sentences) {
    return "<p>" + String.join(" ", sentences) + "</p>\n";
  }

  private static String row(Map<String, String> links) {
    return links.entrySet().stream().map(HtmlWriter::link).collect(Collectors.joining(" "));
  }

  private static String list(Map<String, String> links) {
    return links.entrySet().stream()
        .map(link -> "<li>" + link(link) + "</li>\n")
        .collect(Collectors.joining("", "<ul>\n", "</ul>"));
  }

  private static String link(Map.Entry<String, String> link) {
    return "<a href=\"" + link.getKey() + "\">" + link.getValue() + "</a>";
  }
}
