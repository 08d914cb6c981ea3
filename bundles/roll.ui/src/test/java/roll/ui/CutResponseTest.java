package roll.ui;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.TestBrowser;

/** Responses that ended at the limit of their tokens are marked, unless each is one token. */
@Tag("processes")
@Timeout(300)
class CutResponseTest {
  private static final String MARK = "Cut: it ended at the limit of its tokens.";

  @TempDir Path runs;

  @Test
  void aCutResponseIsMarked() throws Exception {
    RunFolderMaker run = RunFolderMaker.finished(runs.resolve("lake"), 1);
    JsonObject single = RunFolderMaker.trajectory(0, 0, 0);
    JsonObject longer = RunFolderMaker.trajectory(0, 1, 0);
    JsonObject sequence = longer.getAsJsonArray("sequences").get(0).getAsJsonObject();
    sequence.getAsJsonArray("tokens").add(6);
    sequence.getAsJsonArray("texts").add(" now");
    sequence.getAsJsonArray("turns").add(1);
    sequence.getAsJsonArray("log_probs").add(-0.5);
    sequence.getAsJsonArray("versions").add(0);
    run.trajectories(0, single + "\n" + longer + "\n");
    try (TestBrowser browser = TestBrowser.start();
        FolderPage page = FolderPage.of(runs, 0);
        OpenPage open = browser.open()) {
      String episodes = page.address() + "#/run/" + page.id("lake") + "/trajectory/0/";
      open.go(episodes + 1);
      open.awaitText(MARK);
      open.go(episodes + 0);
      FolderPage.awaitShown(open);
      open.awaitText("Right");
      assertFalse(open.text("main").contains(MARK), "it is one token");
    }
  }
}
