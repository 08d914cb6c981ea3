package roll.cluster.inference;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.model.Rope;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.SessionConfig;
import roll.decoder.DecoderParameters;
import roll.runtime.option.YamlOptions;

/** Weights that are a function of their place and version, of a small model. */
public record TestWeights(long version) implements ReadableWeights {
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "qwen2",
          144,
          24,
          48,
          2,
          new DecoderSpec.Attention(4, 2, 6),
          Rope.standard(1000, 6),
          512,
          1e-6,
          Set.of(DecoderSpec.Trait.TIED_HEAD),
          0.02);

  /** Returns the weights of a version. */
  public static TestWeights of(long version) {
    return new TestWeights(version);
  }

  /** Returns the configuration of a session with a new model folder in {@code folder}. */
  public static SessionConfig config(Path folder, int batch) throws IOException {
    Path model = Files.createDirectories(folder.resolve("model"));
    Files.writeString(model.resolve("config.json"), "{}");
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(model, WorkerConfig.Dtype.FP32),
            "native",
            "seeded",
            YamlOptions.strategy("actor_infer", Map.of("key", List.of(1, 2))),
            TrainingConfig.NONE,
            List.of(),
            batch);
    return new SessionConfig(worker, 1, 1.0, 64, true, 0);
  }

  private float number(int index, long place) {
    return (float) Math.sin(index + 0.1 * place + version);
  }

  /** The sum of all of them, in their order. */
  static double sum(long version) {
    TestWeights weights = of(version);
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < DecoderParameters.of(SPEC).size(); i++) {
      for (long j = 0; j < DecoderParameters.of(SPEC).get(i).size(); j++) {
        all.add((double) weights.number(i, j));
      }
    }
    return all.stream().mapToDouble(d -> d).sum();
  }

  @Override
  public DecoderSpec spec() {
    return SPEC;
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    for (long i = 0; i < target.byteSize() / 4; i++) {
      target.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * i, number(index, first + i));
    }
  }
}
