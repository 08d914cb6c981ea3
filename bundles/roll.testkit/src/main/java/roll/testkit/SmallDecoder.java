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
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;

/** Small decoder models without weights: specifications, batches and session configurations. */
public final class SmallDecoder {
  /** 4 layers of width 12, two heads of 6 with one KV head, feed-forward 20, vocabulary 10. */
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
   * Number of weights of {@link #SPEC}: 2 · 10 · 12 of embedding and head, a norm of 12, and 2 ·
   * 144 + 2 · 72 + 3 · 240 + 24 = 1176 per layer.
   */
  public static final long WEIGHTS = 120 + 4 * 1176 + 12 + 120;

  private SmallDecoder() {}

  /**
   * Returns a session with samples of at most 50 tokens and micro-batches of 3 samples to score and
   * 2 to train.
   *
   * @param budget maximum number of tokens per micro-batch; 0 for none
   */
  public static SessionConfig config(String role, Dtype dtype, int budget) {
    return config(role, ModelConfig.of(Path.of("model"), dtype), budget);
  }

  /** Returns a session configuration with the model {@code model}. */
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
                3)
            .withBudgets(new TokenBudgets(budget, budget));
    return new SessionConfig(worker, 1, 1.0, 50, true, 0);
  }

  /** Returns samples of 7, 3 and 5 tokens below 11, some of them scored. */
  public static TokenBatch batch() {
    int[] offsets = {0, 7, 10, 15};
    int[] tokens = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9};
    boolean[] scored = new boolean[15];
    for (int t : new int[] {2, 3, 6, 8, 9, 11, 12, 13, 14}) {
      scored[t] = true;
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  /** Returns the specification of a decoder whose heads have width {@code hidden / heads}. */
  public static DecoderSpec decoder(
      int vocabulary,
      int hidden,
      int intermediate,
      int layers,
      int heads,
      int keyValueHeads,
      Set<Trait> traits) {
    int size = hidden / heads;
    return new DecoderSpec(
        "test",
        vocabulary,
        hidden,
        intermediate,
        layers,
        new Attention(heads, keyValueHeads, size),
        Rope.standard(10000, size),
        512,
        1e-5,
        traits,
        0.2);
  }
}
