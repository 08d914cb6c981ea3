package roll.env.click_and_read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jsoup.Jsoup;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.PageReader;
import roll.testkit.TestOptions;

/** Small sites and scenarios for the tests. */
public final class Sites {
  /** Four pages: home leads to a hall and a mill, the hall to its cellar. */
  static final Map<String, String> TOWN =
      Map.of(
          "index.html",
          "<title>Town</title><h1>Our town</h1><p>There is a <a href='hall.html'>hall</a> here and"
              + " a <a href='/mill/'>mill</a>.</p>",
          "hall.html",
          "<title>Hall</title><p>Ada Holm opened the hall.</p><a href='deep/cellar.html'>Cellar</a>"
              + " <a href='./'>Town</a>",
          "mill/index.html",
          "<title>Mill</title><p>It grinds 1,200 sacks.</p><a href='../index.html#top'>Town</a>",
          "deep/cellar.html",
          "<title>Cellar</title><p>The cellar is painted dark blue.</p>");

  private Sites() {}

  /** Returns the parsed page of a site with one page. */
  public static Page page(String html) {
    return PageReader.read(Jsoup.parse(html), "index.html", Set.of("index.html"), 8_000);
  }

  /** Writes {@link #TOWN} and these questions. */
  static Path town(Path folder, String... questions) throws IOException {
    for (var page : TOWN.entrySet()) {
      write(folder.resolve(page.getKey()), page.getValue());
    }
    write(folder.resolve("questions.jsonl"), String.join("\n", questions));
    return folder;
  }

  public static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  static ClickAndReadScenario scenario(Map<String, Object> config) {
    ClickAndReadEnvironment environment = new ClickAndReadEnvironment();
    return (ClickAndReadScenario)
        environment.configure(TestOptions.of("env_config", config, environment.options()));
  }

  static ClickAndReadEpisode episode(Map<String, Object> config, long seed) {
    return (ClickAndReadEpisode) scenario(config).reset(seed);
  }
}
