package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.PageScreen;
import roll.browser.testkit.TestBrowser;

/**
 * Takes the pictures of {@code docs/ui.md}. No test, so it is called by its name, with the address
 * that {@code ui} printed over real runs:
 *
 * <pre>
 * mvn -pl bundles/roll.ui -am verify -Dtest=PagePictures -Dsurefire.failIfNoSpecifiedTests=false
 * -Droll.page=http://127.0.0.1:7070/</pre>
 */
class PagePictures {
  private static final int MOST_BYTES = 150_000;
  private static final Map<String, PageScreen> SCREENS =
      Map.of(
          "light",
          new PageScreen(1200, 760, false, true),
          "dark",
          new PageScreen(1200, 760, true, true));

  private final Path folder = Path.of(System.getProperty("roll.root"), "docs", "ui");

  @Test
  void take() throws IOException {
    Files.createDirectories(folder);
    String address = System.getProperty("roll.page");
    try (TestBrowser browser = TestBrowser.start()) {
      for (Map.Entry<String, PageScreen> screen : SCREENS.entrySet()) {
        try (OpenPage page = browser.open()) {
          page.show(screen.getValue());
          page.go(address);
          FolderPage.awaitShown(page);
          for (Map.Entry<String, String> view : views(page).entrySet()) {
            page.go(address + view.getValue());
            FolderPage.awaitShown(page);
            page.evaluate("new Promise(done => setTimeout(done, 1500))"); // figures that come later
            byte[] picture = page.picture(screen.getValue());
            Path file = folder.resolve(view.getKey() + "-" + screen.getKey() + ".png");
            assertTrue(picture.length <= MOST_BYTES, () -> file + " has " + picture.length);
            Files.write(file, picture);
          }
          assertEquals(List.of(), page.complaints());
        }
      }
    }
  }

  /** Addresses by the names of their pictures: of the newest run, and its two neighbours. */
  private static Map<String, String> views(OpenPage page) {
    List<JsonElement> runs =
        page.evaluate("fetch('/api/runs').then(a => a.json()).then(a => a.runs)")
            .getAsJsonArray()
            .asList();
    List<String> ids =
        runs.stream().map(JsonElement::getAsJsonObject).map(PagePictures::id).toList();
    String run = "#/run/" + ids.getFirst();
    int step =
        page.evaluate(
                "fetch('/api/runs/"
                    + ids.getFirst()
                    + "').then(a => a.json()).then(a => a.trajectories.at(-1))")
            .getAsInt();
    Map<String, String> views = new LinkedHashMap<>();
    views.put("runs", "#/runs");
    views.put("compare", "#/compare?runs=" + String.join(",", ids));
    views.put("run", run);
    views.put("trajectories", run + "/trajectories?step=" + step);
    views.put("trajectory", run + "/trajectory/" + step + "/0");
    views.put("services", "#/services");
    views.put("devices", "#/devices");
    return views;
  }

  private static String id(JsonObject run) {
    return run.get("id").getAsString();
  }
}
