package roll.testkit;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.ModelConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.api.strategy.SessionConfig;

/** A model without a folder, so small that its memory can be counted by hand. */
public final class SmallDecoder {
  /** 4 layers of width 12, two heads of 6 that share keys and values, feed-forward 20, 10 words. */
  public static final DecoderSpec SPEC =
      new DecoderSpec(
          "test",
          10,
          12,
          20,
          4,
          new Attention(2, 1, 6),
          Rope.standard(10_000, 6),
          64,
          1e-6,
          Set.of(),
          0.02);

  /**
   * Its weights: twice 10 · 12, a norm of 12, and in a layer 2 · 144 + 2 · 72 + 3 · 240 + 24 =
   * 1176.
   */
  public static final long WEIGHTS = 120 + 4 * 1176 + 12 + 120;

  private SmallDecoder() {}

  /**
   * A session with samples of at most 50 tokens, 3 scored and 2 trained at once.
   *
   * @param budget tokens scored and trained at once, or 0
   */
  public static SessionConfig config(String role, Dtype dtype, int budget) {
    return config(role, ModelConfig.of(Path.of("model"), dtype), budget);
  }

  /** The same with all that can be said of the model. */
  public static SessionConfig config(String role, ModelConfig model, int budget) {
    WorkerConfig worker =
        new WorkerConfig(
            role,
            model,
            "native",
            "x",
            TestOptions.strategy(role, Map.of()),
            new TrainingConfig(0, 0, 0.9, 0.999, 2, 4, "constant", 0, 1),
            List.of(),
            3,
            new TokenBudgets(budget, budget));
    return new SessionConfig(worker, 1, 1.0, 50, true, 0);
  }
}
