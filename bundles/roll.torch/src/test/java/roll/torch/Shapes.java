package roll.torch;

import java.util.ArrayList;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Start;
import roll.api.strategy.TokenBatch;

/** Small models for tests, written as a model family would describe them. */
final class Shapes {
  private Shapes() {}

  /** Samples of 7, 3 and 5 tokens below 11, of which some are scored. */
  static TokenBatch batch() {
    int[] offsets = {0, 7, 10, 15};
    int[] tokens = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9};
    boolean[] scored = new boolean[15];
    for (int t : new int[] {2, 3, 6, 8, 9, 11, 12, 13, 14}) {
      scored[t] = true;
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  static DecoderSpec decoder(
      int vocabulary,
      int hidden,
      int intermediate,
      int layers,
      int heads,
      int keyValueHeads,
      boolean bias,
      boolean tied) {
    int size = hidden / heads;
    List<Parameter> all = new ArrayList<>();
    all.add(new Parameter("embed", List.of(vocabulary, hidden), Start.NORMAL));
    for (int i = 0; i < layers; i++) {
      String layer = "layers." + i + ".";
      for (String name : List.of("q", "k", "v")) {
        int rows = (name.equals("q") ? heads : keyValueHeads) * size;
        all.add(new Parameter(layer + name, List.of(rows, hidden), Start.NORMAL));
        if (bias) {
          all.add(new Parameter(layer + name + ".bias", List.of(rows), Start.NORMAL));
        }
      }
      all.add(new Parameter(layer + "o", List.of(hidden, hidden), Start.NORMAL));
      all.add(new Parameter(layer + "gate", List.of(intermediate, hidden), Start.NORMAL));
      all.add(new Parameter(layer + "up", List.of(intermediate, hidden), Start.NORMAL));
      all.add(new Parameter(layer + "down", List.of(hidden, intermediate), Start.NORMAL));
      all.add(new Parameter(layer + "norm1", List.of(hidden), Start.ONES));
      all.add(new Parameter(layer + "norm2", List.of(hidden), Start.ONES));
    }
    all.add(new Parameter("norm", List.of(hidden), Start.ONES));
    if (!tied) {
      all.add(new Parameter("head", List.of(vocabulary, hidden), Start.NORMAL));
    }
    return new DecoderSpec(
        "test",
        vocabulary,
        hidden,
        intermediate,
        layers,
        heads,
        keyValueHeads,
        size,
        512,
        1e-5,
        10000,
        bias,
        tied,
        0.2,
        all);
  }
}
