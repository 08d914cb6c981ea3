package roll.testkit;

import java.util.Set;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.strategy.TokenBatch;

/** Small models for tests, written as a model family would describe them. */
public final class SmallDecoders {
  private SmallDecoders() {}

  /** Samples of 7, 3 and 5 tokens below 11, of which some are scored. */
  public static TokenBatch batch() {
    int[] offsets = {0, 7, 10, 15};
    int[] tokens = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9};
    boolean[] scored = new boolean[15];
    for (int t : new int[] {2, 3, 6, 8, 9, 11, 12, 13, 14}) {
      scored[t] = true;
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  /** A small decoder, its heads as wide as they share the hidden width. */
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
