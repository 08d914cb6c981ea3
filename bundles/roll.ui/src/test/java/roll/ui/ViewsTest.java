package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.PageScreen;
import roll.browser.testkit.TestBrowser;

/** Every view in light and dark colors, on a phone, and for screen readers. */
@Tag("processes")
@Timeout(300)
class ViewsTest {
  /** Screenshots of all views. */
  private static final Path PICTURES = Path.of("target", "pictures");

  private static final Map<String, PageScreen> SCREENS =
      Map.of("light", PageScreen.LIGHT, "dark", PageScreen.DARK, "narrow", PageScreen.NARROW);

  @TempDir static Path runs;
  @AutoClose private static TestBrowser browser;
  @AutoClose private static FolderPage page;

  @BeforeAll
  static void start() throws Exception {
    browser = TestBrowser.start();
    Path lake = RecordedRun.write(runs, "lake", 40, "ice");
    Files.writeString(
        lake.resolve("notes.json"), "{\"note\":\"slow at first\",\"tags\":[\"good\",\"ice\"]}");
    RecordedRun.write(runs, "pond", 25, "water");
    page = FolderPage.of(runs, 0);
    Files.createDirectories(PICTURES);
  }

  static List<String> views() {
    return List.of(
        "runs",
        "grouped",
        "columns",
        "notes",
        "compare",
        "run",
        "trajectories",
        "trajectory",
        "services",
        "devices");
  }

  private static String place(String view) throws Exception {
    String lake = page.id("lake");
    return switch (view) {
      case "grouped" ->
          "#/runs?columns=exp_name,max(rollout/score/mean)&group=exp_name&sort=-score&archived=1";
      case "columns", "notes" -> "#/runs?columns=&sort=name";
      case "compare" -> "#/compare?runs=" + lake + "," + page.id("pond");
      case "run" -> "#/run/" + lake;
      case "trajectories" -> "#/run/" + lake + "/trajectories?step=0";
      case "trajectory" -> "#/run/" + lake + "/trajectory/0/1";
      default -> "#/" + view;
    };
  }

  /**
   * Checks that a view has a heading, logs nothing to the console, fits the window, and violates no
   * rule.
   */
  @ParameterizedTest
  @MethodSource("views")
  void itIsShownWithoutAComplaint(String view) throws Exception {
    Axe axe = new Axe();
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, PageScreen> screen : SCREENS.entrySet()) {
      try (OpenPage open = browser.open()) {
        open.show(screen.getValue());
        open.go(page.address() + place(view));
        FolderPage.awaitShown(open);
        assertFalse(open.text("h1").isBlank(), "a view begins with its heading");
        openDialog(open, view);
        open.complaints().forEach(line -> wrong.add(screen.getKey() + ": " + line));
        if (open.evaluate("document.documentElement.scrollWidth > innerWidth").getAsBoolean()) {
          wrong.add(screen.getKey() + ": is wider than the window");
        }
        Files.write(
            PICTURES.resolve(view + "-" + screen.getKey() + ".png"),
            open.picture(screen.getValue()));
        axe.violations(open).forEach(line -> wrong.add(screen.getKey() + ": " + line));
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static void openDialog(OpenPage open, String view) {
    if (view.equals("columns")) {
      open.click("button", "Columns");
      open.await("document.querySelectorAll('dialog .fields li').length > 9");
    } else if (view.equals("notes")) {
      open.evaluate("document.querySelector('[aria-label=\"Notes of lake\"]').click()");
      open.awaitText("Tags, separated by spaces");
    }
  }

  @Test
  void theThemeCanBeChosen() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/runs");
      FolderPage.awaitShown(open);
      String color = "getComputedStyle(document.documentElement).colorScheme";
      open.evaluate(
          "const s = document.getElementById('theme'); s.value = 'dark';"
              + " s.dispatchEvent(new Event('change', {bubbles: true}))");
      assertTrue(open.evaluate(color).getAsString().startsWith("dark"));
      open.reload();
      assertTrue(open.evaluate(color).getAsString().startsWith("dark"), "it is remembered");
    }
  }

  @Test
  void whatIsNotThereIsSaid() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/nowhere");
      FolderPage.awaitShown(open);
      assertFalse(open.text("h1").isBlank());
      assertEquals(List.of(), open.complaints());
      open.go(page.address() + "#/run/000000000000");
      FolderPage.awaitShown(open);
      open.awaitText("no run '000000000000'");
    }
  }
}
