package roll.ui;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import roll.browser.testkit.OpenPage;

/** The rules of WCAG 2.2, A and AA, that axe-core checks automatically. */
final class Axe {
  private static final String RUN =
      """
      axe.run(document, {resultTypes: ['violations'], runOnly: {type: 'tag', values:
            ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']}})
        .then(found => found.violations.map(v => v.id + ' (' + v.help + '): ' + v.nodes.slice(0, 4)
            .map(n => n.target.join(' ') + ' [' + n.failureSummary.replaceAll('\\n', ' ') + ']')
            .join('; ')))
      """;

  private final String script;

  /** axe-core from the class path, where it is for tests alone. */
  Axe() throws IOException {
    try (InputStream in = Objects.requireNonNull(Axe.class.getResourceAsStream("/axe.min.js"))) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns the rules that {@code page} violates, one line each. */
  List<String> violations(OpenPage page) {
    page.evaluate(script + ";0");
    return page.evaluate(RUN).getAsJsonArray().asList().stream()
        .map(line -> line.getAsString())
        .toList();
  }
}
