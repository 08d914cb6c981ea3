package roll.strategy.zero3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.strategy.NumericsInfo.Change;
import roll.api.strategy.TrainSession;
import roll.testkit.RankFixtures;

/** A session on several ranks says what is not as it was where its checkpoint was computed. */
class ComputeChangesTest {
  @Test
  void whatIsOtherwiseIsTold(@TempDir Path folder) throws IOException {
    Path state = folder.resolve("trainer/state.json");
    var config = RankFixtures.config(Tiny.RUNS.worker(2, Map.of()));
    try (Tiny tiny = new Tiny();
        TrainSession session = tiny.strategy().open(config)) {
      session.save(folder).join();
      String written = Files.readString(state);
      assertTrue(written.contains("\"threads\":1,"), written);
      Files.writeString(
          state, written.replace("\"threads\":1,", "\"threads\":7,\"another\":[true],"));
      session.restore(folder).join();
      assertEquals(List.of(new Change("7 threads", "1 thread")), session.numericsInfo().changes());
      Files.writeString(state, written);
      session.restore(folder).join();
      assertEquals(List.of(), session.numericsInfo().changes());
    }
  }
}
