package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelFacts;
import roll.decoder.ModelInspector;
import roll.itests.ShardedRuns.Spread;

/** A checkpoint is independent of the ranks that wrote it: others resume from it. */
@Tag("framework")
@Timeout(240)
class ShardedCheckpointTest {
  private final ShardedRuns runs;

  ShardedCheckpointTest(@TempDir Path folder) {
    this.runs = new ShardedRuns(folder);
  }

  @Test
  void anyLayoutResumesFromFourRanks() throws Exception {
    runs.train("alone", Spread.ALONE, keys(runs.dump()));
    Path whole = runs.train("whole", Spread.zero(4, 3), keys(runs.read()));
    Path saved = whole.resolve("checkpoint-2");
    Path expected = whole.resolve("checkpoint-3");
    List<Spread> all =
        List.of(
            Spread.ALONE,
            Spread.zero(1, 3),
            Spread.zero(2, 3),
            Spread.zero(8, 3),
            Spread.zero(2, 1),
            Spread.megatron(1, 2, 2, ""));
    for (int i = 0; i < all.size(); i++) {
      ShardedRuns.assertClose(expected, resumed("go-on" + i, all.get(i), saved), all.get(i));
    }
    Path megatron = runs.train("megatron", Spread.megatron(2, 1, 2, ""), keys(runs.read()));
    ShardedRuns.assertClose(
        expected,
        resumed("back", Spread.zero(4, 3), megatron.resolve("checkpoint-2")),
        "from tensor-parallel ranks to ZeRO's");

    ModelInspector models = SmallRuns.service(ModelInspector.class);
    ModelFacts facts = models.inspect(expected);
    ModelFacts shipped = models.inspect(SmallRuns.config("models/frozen-lake-tiny"));
    assertEquals(shipped.spec(), facts.spec());
    long numbers =
        DecoderParameters.of(shipped.spec()).stream()
            .mapToLong(parameter -> parameter.size())
            .sum();
    assertEquals(Map.of("F32", numbers), facts.stored());
    // a run can start from it as from any model
    runs.train("after", Spread.ALONE, "pretrain=" + expected, "max_steps=1");
  }

  /** Runs the third step after two steps by another layout. */
  private Path resumed(String name, Spread spread, Path checkpoint) throws Exception {
    List<String> keys = new ArrayList<>(List.of(keys(runs.read())));
    keys.add("resume_from_checkpoint=" + checkpoint);
    return runs.train(name, spread, keys.toArray(String[]::new)).resolve("checkpoint-3");
  }

  private static String[] keys(String mock) {
    return new String[] {"max_steps=3", "save_steps=1", mock};
  }
}
