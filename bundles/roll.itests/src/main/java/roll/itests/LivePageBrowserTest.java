package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.TestBrowser;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.serving.ListenSettings;

/** A running run is watched and changed in a real browser. */
@Tag("framework")
@Timeout(240)
class LivePageBrowserTest {
  /** Script that returns the last step of a curve with a value. */
  private static final String LAST =
      "Math.max(-1, ...[...document.querySelectorAll('.plane')].map(plane =>"
          + " Number(/ at step (\\d+), min/.exec(plane.getAttribute('aria-label'))?.[1] ?? -1)))";

  private static final int MOST_TABS = 200;

  private final Path folder;
  private TestBrowser browser;
  private PageEndpoint served;
  private OpenPage page;

  LivePageBrowserTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void open() {
    browser = TestBrowser.start();
    served = serve(0);
    page = browser.open();
    page.go(served.address().toString());
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
    }
    if (served != null) {
      served.close();
    }
  }

  private PageEndpoint serve(int port) {
    ListenSettings place = new ListenSettings(InetAddress.getLoopbackAddress(), port, null, 64);
    return SmallRuns.service(LivePage.class)
        .start(new PageSettings(place, List.of(folder), false, false));
  }

  private TrainingRun start(String name) {
    return SmallRuns.start(
        "frozen_lake.yaml",
        folder,
        List.of(
            "exp_name=" + name,
            "rollout_batch_size=16",
            "train_env_manager.num_env_groups=2",
            "max_steps=100000",
            "eval_steps=0",
            "save_steps=100000",
            "logging_steps=1",
            "track_with=[jsonl]"));
  }

  private static void stop(TrainingRun run) throws Exception {
    run.stop();
    assertTrue(run.outcome().get().interrupted());
  }

  @Test
  void pointsAppearDuringTheRun() throws Exception {
    page.awaitText("Services");
    TrainingRun run = start("watched");
    try {
      page.click("main a", "watched"); // it appears by itself
      page.await("location.hash.startsWith('#/run/')");
      Duration limit = Duration.ofSeconds(60);
      page.await(LAST + " >= 1", limit);
      int first = page.evaluate(LAST).getAsInt();
      page.await(LAST + " >= " + (first + 3), limit);
      assertTrue(page.evaluate(LAST).getAsInt() <= run.status().step(), "it is ahead of the run");
      page.click("button", "Pause");
      page.awaitText("paused");
      assertEquals(State.PAUSED, run.status().state());
      page.click("button", "Resume");
      page.awaitText("running");
      assertEquals(List.of(), page.complaints());
    } finally {
      stop(run);
    }
    page.awaitText("interrupted");
    assertEquals(List.of(), page.complaints());
  }

  /** Swaps a plugin of the run by keyboard only. */
  @Test
  void aSwapFromThePageChangesTheRun() throws Exception {
    TrainingRun run = start("swapped");
    try {
      page.awaitText("swapped");
      page.click("nav a", "Services");
      page.await(
          "document.querySelector('select[aria-label=\"What replaces loss ppo\"]') !== null");
      tabTo("select What replaces loss ppo");
      page.press("g", "s", "p", "o");
      page.await("document.activeElement.value === 'gspo'");
      tabTo("button Swap loss ppo");
      page.press("Enter");
      page.await("document.querySelector('dialog[open]') !== null");
      tabTo("button Swap");
      page.press("Enter");
      page.await("document.querySelector('dialog[open]') === null");
      page.awaitText("loss ppo → gspo");
      Waits.await(run, status -> status.served().contains("roll.loss.gspo"));
      assertTrue(Files.readString(run.folder().resolve("config.yaml")).contains("gspo"));
      page.go(served.address() + "#/run/" + id());
      page.awaitText("loss ppo → gspo");
      assertEquals(List.of(), page.complaints());
    } finally {
      stop(run);
    }
  }

  private void tabTo(String name) {
    List<String> stops = new ArrayList<>();
    while (stops.size() < MOST_TABS) {
      page.press("Tab");
      stops.add(page.focused());
      if (stops.getLast().equals(name)) {
        return;
      }
    }
    throw new AssertionError(name + " is none of " + stops);
  }

  /** Returns the id of the single listed run. */
  private String id() {
    return page.evaluate("fetch('/api/runs').then(a => a.json()).then(a => a.runs[0].id)")
        .getAsString();
  }

  @Test
  void replayShowsTheBoardsThatWerePlayed() throws Exception {
    TrainingRun run = start("played");
    Waits.await(run, status -> status.step() >= 2);
    stop(run);
    Path file = run.folder().resolve("trajectories/step-1.jsonl");
    for (int index : new int[] {0, 5}) {
      PlayedEpisode episode = PlayedEpisode.read(file, index);
      page.go(served.address() + "#/run/" + id() + "/trajectory/1/" + index);
      page.await("document.querySelector('main h1') !== null");
      page.click("button", "First turn");
      if (index == 0) { // then they are allowed for this run
        page.click("button", "Show pictures");
      }
      episode.requireShown(page);
      assertEquals(List.of(), page.complaints());
    }
  }

  @Test
  void thePageComesBackWithItsBundle() throws Exception {
    TrainingRun run = start("served");
    try {
      page.awaitText("served");
      page.await("document.getElementById('live').dataset.state === 'live'");
      int port = served.address().getPort();
      Bundle bundle = BundleContent.bundle("roll.ui");
      bundle.stop();
      try {
        page.await("document.getElementById('live').dataset.state === 'lost'");
      } finally {
        bundle.start();
      }
      served.close();
      served = serve(port);
      page.await(
          "document.getElementById('live').dataset.state === 'live'", Duration.ofSeconds(40));
      assertTrue(run.status().state().active(), "the run continues");
    } finally {
      stop(run);
    }
  }
}
