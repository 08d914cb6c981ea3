package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.shell.Gogo;
import roll.shell.NotingRun;
import roll.shell.http.ComponentKeepAlive;
import roll.shell.page.OpenPages;
import roll.testkit.ExampleRunConfigs;

/** {@code train --ui}: the page is there before the first step, and goes with the run. */
@Timeout(60)
class TrainPageTest {
  private final List<String> calls = new ArrayList<>();
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final OpenPages pages = new OpenPages(ComponentKeepAlive.NONE);

  private final Trainer trainer =
      new Trainer() {
        @Override
        public List<String> check(LoadedConfig config) {
          return List.of();
        }

        @Override
        public TrainingRun start(LoadedConfig config) {
          calls.add("start");
          return new NotingRun(1, calls, outcome);
        }

        @Override
        public List<TrainingRun> runs() {
          return List.of();
        }
      };

  private final TrainCommand command =
      new TrainCommand(
          (file, _) ->
              new LoadedConfig(
                  file,
                  ExampleRunConfigs.small(Path.of("output/lake"), 1),
                  "exp_name: lake\n",
                  List.of(),
                  Set.of(),
                  new TreeMap<>()),
          trainer,
          pages,
          null,
          null,
          null);

  private PageEndpoint serve(PageSettings order) {
    int port = order.place().port();
    calls.add("page " + port + " " + order.folders().getFirst().getFileName());
    return new PageEndpoint() {
      @Override
      public URI address() {
        return URI.create("http://127.0.0.1:" + port + "/");
      }

      @Override
      public void close() {
        calls.add("closed");
      }
    };
  }

  @Test
  void itIsThereBeforeTheFirstStepAndGoesWithTheRun() throws Exception {
    pages.bindServer(this::serve);
    outcome.complete(new Outcome(3, false, Map.of()));
    try (Gogo gogo = new Gogo(command, "train")) {
      String said = gogo.run("train lake.yaml --ui --ui-port 81");
      assertTrue(said.contains("live page: http://127.0.0.1:81/"), said);
      assertEquals(List.of("page 81 output", "start", "closed"), calls);
    }
  }

  @Test
  void inTheBackgroundToo() throws Exception {
    pages.bindServer(this::serve);
    try (Gogo gogo = new Gogo(command, "train")) {
      gogo.run("train lake.yaml --ui --background");
      assertEquals(List.of("page 7070 output", "start"), calls);
      outcome.complete(new Outcome(3, false, Map.of()));
      assertEquals("closed", calls.getLast());
      assertEquals("", pages.list());
    }
  }

  @Test
  void mistakesAreToldBeforeAnythingIsStarted() {
    try (Gogo gogo = new Gogo(command, "train")) {
      assertEquals(
          "train --ui: this distribution lacks the bundle roll.ui, which the command needs",
          assertThrows(UserException.class, () -> gogo.run("train lake.yaml --ui")).getMessage());
      assertTrue(
          assertThrows(UserException.class, () -> gogo.run("train lake.yaml --ui-port 81"))
              .getMessage()
              .startsWith("train: --ui-port needs --ui"));
    }
    assertEquals(List.of(), calls);
  }
}
