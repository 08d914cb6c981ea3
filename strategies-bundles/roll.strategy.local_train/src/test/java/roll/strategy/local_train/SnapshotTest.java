package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Snapshot;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainedModel;
import roll.api.strategy.ValueSession;
import roll.decoder.DecoderParameters;

/** A snapshot written after further training equals a checkpoint at its time. */
class SnapshotTest {
  private final Path folder;
  @AutoClose private final TinyModel model;

  SnapshotTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(Files.createDirectory(folder.resolve("model")));
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void ofAWholeModel(Dtype dtype) throws IOException {
    long weights = DecoderParameters.size(model.spec());
    assertEquals(12 * weights, check(ModelConfig.of(model.folder, dtype)));
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void ofAModelThatIsFrozenInPart(Dtype dtype) throws IOException {
    long bytes = check(ModelConfig.of(model.folder, dtype).withFrozen(List.of("model.embed")));
    assertTrue(bytes < 12 * DecoderParameters.size(model.spec()), "what is frozen is not copied");
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void ofAdaptersBesideARandomModelAndOneOfAFolder(Dtype dtype) throws IOException {
    Path weights = folder.resolve("weights");
    try (TrainSession session = model.open(Dtype.FP32, 2)) {
      session.save(weights).join();
    }
    LoraConfig lora = new LoraConfig(4, 8, 0.1, List.of("all-linear"));
    for (Path source : List.of(model.folder, weights)) {
      check(ModelConfig.of(source, dtype).withLora(lora));
    }
  }

  @Test
  void ofACritic() throws IOException {
    TokenBatch batch = TinyModel.batch(1);
    try (ValueSession session = model.openValues(Dtype.FP32, 2, 1)) {
      check(session, () -> session.update(batch, (samples, values) -> values.clone()).join());
    }
  }

  private long check(ModelConfig config) throws IOException {
    var options = Map.<String, Object>of("parallel_micro_batches", 1);
    try (TrainSession session = model.strategy().open(model.config(config, 2, options, 32))) {
      TokenBatch batch = TinyModel.batch(1);
      return check(session, () -> session.update(batch, TinyModel.likelihood(batch)).join());
    }
  }

  private long check(TrainedModel session, Runnable step) throws IOException {
    Path saved = Files.createTempDirectory(folder, "saved");
    Path written = Files.createTempDirectory(folder, "written");
    step.run();
    session.save(saved).join();
    try (Snapshot snapshot = session.snapshot().join()) {
      step.run();
      snapshot.write(written);
      assertSame(saved, written);
      Path later = Files.createTempDirectory(folder, "later");
      session.save(later).join();
      assertFalse(
          Files.mismatch(
                  saved.resolve("trainer/moments.safetensors"),
                  later.resolve("trainer/moments.safetensors"))
              == -1,
          "the step changed nothing");
      return snapshot.bytes();
    }
  }

  private static void assertSame(Path expected, Path found) throws IOException {
    List<Path> files = files(expected);
    assertEquals(files, files(found));
    for (Path file : files) {
      assertEquals(-1, Files.mismatch(expected.resolve(file), found.resolve(file)), file + "");
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(folder::relativize).sorted().toList();
    }
  }
}
